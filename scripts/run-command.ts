import { fork, spawn, type ChildProcess } from 'node:child_process'

export type Ended = { code: number; output: string }

const running = new Set<ChildProcess>()

/** Runs a command to its end and keeps what it said, in the order it was said. */
export function runCommand(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  hear: (text: string) => void = () => {},
): Promise<Ended> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  listen(child, (text) => {
    output += text
    hear(text)
  })
  return ended(child).then((code) => ({ code, output }))
}

export type Conversation = {
  child: ChildProcess
  /** What it said since the last call, on either stream. */
  said: () => string
  ended: Promise<number>
}

/** Starts a script of ours that is spoken with by messages. */
export function converse(script: string, env: Record<string, string>): Conversation {
  const child = fork(script, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, ...env } })
  let output = ''
  listen(child, (text) => (output += text))
  const said = () => {
    const text = output
    output = ''
    return text
  }
  return { child, said, ended: ended(child) }
}

function listen(child: ChildProcess, hear: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear)
}

function ended(child: ChildProcess): Promise<number> {
  running.add(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(child)
      resolve(code ?? 1)
    })
  })
}

let isEnding = false

/** From now on nothing more is to be started. */
export const areEnding = (): boolean => isEnding

/** Resolves when every command has gone. */
export async function endCommands(): Promise<void> {
  isEnding = true
  await Promise.all(
    [...running].map((child) => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      return closed
    }),
  )
}
