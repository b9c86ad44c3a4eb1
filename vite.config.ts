import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3000}`

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
    modulePreload: { polyfill: false },
  },
  // the slash matters: /api.ts is a file of ours
  server: { proxy: { '^/(api|auth|sanctum|sandbox)/': api } },
})
