import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

// Few large files pack better than many small ones, and thirty files of a kilobyte are thirty turns on a phone's connection.
// A file belongs to a chunk by its folder and by whether the first page loads it, so that no move changes the chunks unseen.
const chunks: Rolldown.CodeSplittingGroup[] = [
  // the first page: packages, which rarely change, and our own code
  { name: 'frame', tags: ['$initial'], test: /node_modules/ },
  { name: 'index', tags: ['$initial'] },
  // two pages have a map: nobody else loads its package
  { name: 'map', test: /\/node_modules\/leaflet\// },
  // what several later pages share, without what it imports: that would bring every page what one of them needs
  { name: 'form', test: /\/web\/forms\/|\/react-hook-form\//, includeDependenciesRecursively: false },
  {
    name: 'parts',
    test: /\/(contract|domain|node_modules|web\/(listing|live|page|sending|ui))\/|\/(filter|queries)\.ts$/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
]

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
        codeSplitting: { groups: chunks },
      },
    },
  },
  // the slash matters: /api.ts is a file of ours
  server: { proxy: { '^/(api|auth|sanctum|sandbox)/': api } },
})
