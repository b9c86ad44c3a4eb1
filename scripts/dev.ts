import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createServer } from 'vite'

// The page comes from Vite with hot reload on 5173, its calls go on to the server, which restarts when its code changes.

const root = resolve(import.meta.dirname, '..')
const WEB_PORT = 5173
const apiPort = process.env['PORT'] ?? '3000'
process.env['API_PORT'] = apiPort

const web = await createServer({
  root: resolve(root, 'web'),
  configFile: resolve(root, 'vite.config.ts'),
  server: { host: '127.0.0.1', port: WEB_PORT, strictPort: true },
})
await web.listen()

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts', '--no-web'], {
  cwd: root,
  stdio: 'inherit',
  // links in e-mails and redirects lead to the page, not to the bare server
  env: { PUBLIC_URL: `http://localhost:${WEB_PORT}`, ...process.env, PORT: apiPort },
})
console.log(`Web with hot reload: http://localhost:${WEB_PORT}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))
const [code] = (await once(server, 'exit')) as [number | null]
await web.close()
process.exitCode = code ?? 0
