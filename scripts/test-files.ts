import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { areEnding, converse, type Conversation } from '#scripts/run-command.ts'
import type { FileReport, FileRequest } from '#scripts/test-process.ts'
import type { Progress } from '#scripts/test-progress.ts'

export type Run = {
  files: readonly string[]
  /** Below which the names of files are told. */
  folder: string
  filter: string | undefined
  /** How long one test may take. */
  withinMs: number
  atOnce: number
  env: Record<string, string>
  progress: Progress
}

const SCRIPT = resolve(import.meta.dirname, 'test-process.ts')
// what the modules of a file hold is never let go: 20 MB or so for each server that it started
const FILES_PER_PROCESS = 12
// what a file may take between two tests, to open and to close what it needs
const BETWEEN_TESTS_MS = 300_000

/** Runs test files in a few processes, each one file after the other. */
export async function runTestFiles(run: Run): Promise<void> {
  // long files first: whoever draws one last keeps everybody waiting
  const queue = run.files.toSorted((one, other) => statSync(other).size - statSync(one).size)
  await Promise.all(Array.from({ length: Math.min(run.atOnce, queue.length) }, () => work(run, queue)))
}

async function work(run: Run, queue: string[]): Promise<void> {
  let talk: Conversation | undefined
  let done = 0
  for (let file = queue.shift(); file && !areEnding(); file = queue.shift()) {
    talk ??= converse(SCRIPT, run.env)
    const isUp = await runOne(run, talk, file)
    if (isUp && ++done % FILES_PER_PROCESS === 0) await dismiss(talk)
    else if (isUp) continue
    talk = undefined
  }
  if (talk) await dismiss(talk)
}

async function dismiss({ child, ended }: Conversation): Promise<void> {
  child.send(null as never)
  await ended
}

/** Answers whether the process can run another file. */
async function runOne({ folder, filter, withinMs, progress }: Run, { child, said, ended }: Conversation, file: string): Promise<boolean> {
  const entry = progress.begin(relative(folder, file))
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs + BETWEEN_TESTS_MS)
  const isUp = await new Promise<boolean>((resolve) => {
    child.on('message', (report: FileReport) => {
      late.refresh()
      if (report.kind === 'passed') entry.pass()
      if (report.kind === 'failed') entry.fail(report.title, `${report.reason}\n${said()}`)
      if (report.kind === 'ended') resolve(true)
    })
    void ended.then(() => resolve(false))
    child.send({ file, filter, withinMs } satisfies FileRequest)
  })
  clearTimeout(late)
  child.removeAllListeners('message')
  const output = said()
  if (!isUp && !areEnding()) entry.fail('the file itself', `Its process ended, or was ended because nothing happened any more.\n${output}`)
  entry.end()
  return isUp
}
