import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { resolve } from 'node:path'

export type Product = {
  url: string
  /** Everything it said so far. */
  said: () => string
  /** Resolves when it says this, rejects when it ends first. */
  says: (text: string) => Promise<void>
  signal: (signal: NodeJS.Signals) => void
  /** The exit code, or the signal that killed it. */
  ended: Promise<number | NodeJS.Signals | null>
}

const ROOT = resolve(import.meta.dirname, '../../..')

/** The process that `npm start` runs, with these variables and none of ours that changes what it does. */
export async function launchProduct(variables: Record<string, string>): Promise<Product> {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/main.ts', '--no-web'], {
    cwd: ROOT,
    env: { ...kept('PATH', 'HOME', 'NODE_COMPILE_CACHE'), PORT: String(port), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL')) // a test run that is interrupted leaves nothing behind
  let output = ''
  const listeners = new Set<() => void>()
  const hear = (text: string) => {
    output += text
    for (const listener of listeners) listener()
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
  const ended = new Promise<number | NodeJS.Signals | null>((done) => child.once('close', (code, signal) => done(code ?? signal)))

  return {
    url: `http://127.0.0.1:${port}`,
    said: () => output,
    says: (text) =>
      new Promise((done, fail) => {
        const look = () => void (output.includes(text) && done())
        listeners.add(look)
        look()
        void ended.then((how) => fail(new Error(`It ended (${how}) without saying '${text}':\n${output}`)))
      }),
    signal: (signal) => void child.kill(signal),
    ended,
  }
}

const kept = (...names: string[]) => Object.fromEntries(names.map((name) => [name, process.env[name]]))

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}
