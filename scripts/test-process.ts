import { once } from 'node:events'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'

// Runs test files one after the other, as scripts/test-files.ts names them, until it is sent null. Loading the server and getting warm takes longer than
// most files do: a process of its own for each would double the time of all. A file ends when nothing is left open, as a process
// does: what it forgets to close holds up the next, and is told of as its fault.

export type FileRequest = { file: string; filter: string | undefined; withinMs: number }
export type FileReport =
  | { kind: 'passed' }
  | { kind: 'failed'; title: string; reason: string }
  /** All tests have run and nothing is left open. */
  | { kind: 'ended' }

const tell = (report: FileReport) => void process.send?.(report)

// A run ends when the process would. Whatever it still does then, such as hooks of a file without a test, gets turns to do it in.
const TURNS_AFTER_THE_END = 100
let turnsLeft = 0
process.on('beforeExit', () => {
  if (turnsLeft-- > 0) setTimeout(() => {}, 5)
})

for (;;) {
  const [request] = (await once(process, 'message')) as [FileRequest | null]
  if (!request) break
  process.channel?.unref()
  await runFile(request)
  process.channel?.ref()
  tell({ kind: 'ended' })
}
process.disconnect()

async function runFile({ file, filter, withinMs }: FileRequest): Promise<void> {
  turnsLeft = TURNS_AFTER_THE_END
  await pause(1)
  const path = resolve(file)
  const events = run({ files: [path], isolation: 'none', timeout: withinMs, ...(filter && { testNamePatterns: filter }) })
  const titles: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') titles[data.nesting] = data.name
    if (type === 'test:pass' && data.details.type !== 'suite' && data.skip === undefined && data.name !== path) tell({ kind: 'passed' })
    if (type === 'test:fail' && data.details.type !== 'suite') {
      const isFile = data.name === path
      const title = isFile ? 'the file itself' : [...titles.slice(0, data.nesting), data.name].join(' > ')
      tell({ kind: 'failed', title, reason: reasonOf(data.details.error) })
    }
    if (type === 'test:diagnostic' && data.message.includes('asynchronous activity after'))
      tell({ kind: 'failed', title: 'after a test', reason: data.message })
  }
}

/** Node wraps what a test threw. */
function reasonOf(error: Error): string {
  const cause = error.cause ?? error
  return typeof cause === 'string' ? cause : inspect(cause)
}
