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

// What several later pages share is one file too: thirty files of a kilobyte are thirty turns on a phone's connection.
// Icons and queries come through lists that name them all, so whether the first page needs one cannot be read off the imports.
const named =
  /icons\/(arrow-left|bell|camera|check|chevron-(down|right)|circle|eye|eye-off|hourglass|search-x|trash|wifi-off)\.|nfiniteQuery|tier-names\./
const parts =
  /\/web\/(ui\/|shell\/sections|(?!form)[\w-]+\.tsx?$|features\/(bids\/price-steps|listings\/(status-label|listing-facts|material-options|queries|filter)|\w+\/queries))|\/(contract|domain)\//
type Graph = { getModuleInfo: (id: string) => { importers: readonly string[]; isEntry: boolean } | null }

function isOfFirstPage(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const info = graph.getModuleInfo(id)
  return Boolean(info?.isEntry || info?.importers.some((importer) => isOfFirstPage(importer, graph, seen)))
}

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
            { name: 'form', test: /\/web\/form\.|react-hook-form/, includeDependenciesRecursively: false },
            {
              debugName: 'parts',
              name: (id, graph) => (named.test(id) || !isOfFirstPage(id, graph) ? 'parts' : null),
              test: (id) => named.test(id) || parts.test(id),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // the slash matters: /api.ts is a file of ours
  server: { proxy: { '^/(api|auth|sanctum|sandbox)/': api } },
})
