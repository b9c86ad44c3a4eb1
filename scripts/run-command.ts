import { spawn, type ChildProcess } from 'node:child_process'

export type Ended = { code: number; output: string }

const running = new Set<ChildProcess>()

/** Runs a command to its end and keeps what it said, in the order it was said. */
export function runCommand(command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Resolves when every command has gone. */
export async function endCommands(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      return closed
    }),
  )
}
