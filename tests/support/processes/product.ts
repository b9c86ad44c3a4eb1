import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
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
  // a busy machine takes its time: what never ends is ended by the test's own limit
  return launch(['server/main.ts', '--no-web'], { PORT: String(await freePort()), STOP_WITHIN_SECONDS: '300', ...variables })
}

/** A script in a process of its own, which listens on PORT. */
export function launch(script: readonly string[], variables: Record<string, string>): Product {
  const child = spawn(process.execPath, script, {
    cwd: ROOT,
    env: { ...kept('PATH', 'HOME', 'NODE_COMPILE_CACHE'), ...variables },
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
    url: `http://127.0.0.1:${variables['PORT']}`,
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

// below the ports that the system gives to whoever asks for any: those of tests that run beside could be taken between the look and the
// start. Each process begins elsewhere; the payment provider's port, 9,000 higher, is below them too.
let nextPort = 20_000 + (process.pid % 1_000) * 3

export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const listens = await new Promise<boolean>((done) => {
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => done(true))
  })
  if (listens) await new Promise((done) => probe.close(done))
  return listens
}
