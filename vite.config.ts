import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

// Few large files pack better than many small ones: what every page loads, and what every card of a listing needs, is one file each.
// Together 6 kB of the first page's 130; what only a long list needs (infinite queries) stays out.
const frame =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!.*nfinite).*)\/|lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|defaultAttributes|shared)|\/web\/(api|api-error|query-client|place-link)\.|\/contract\/(places|limits)\./
const cards =
  /\/web\/(features\/listings\/(listing-card|cover|material-plate|reserve|words|ending-soon)|ui\/spinner|countdown|server-clock|weight|bids-in-words|use-is-wide|money)\.|\/domain\/countdown\./

export default defineConfig({
  root: 'web',
  plugins: [react({ compiler: true }), tailwindcss()],
  define: { __APP_VERSION__: JSON.stringify(process.env.APP_VERSION ?? 'dev') },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // the content security policy allows files of our own and nothing inline
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (_file, needed, { hostType }) => (hostType === 'html' ? needed : []) },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: frame },
            { name: 'cards', test: cards },
          ],
        },
      },
    },
  },
  // the slash matters: /api.ts is a file of ours
  server: { proxy: { '^/(api|auth|sanctum|sandbox)/': api } },
})
