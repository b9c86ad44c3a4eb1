import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '#scripts/run-command.ts'

export type Outcome = {
  passed: number
  failed: number
  /** Shown when something failed. */
  report: string
}

export type Request = {
  /** Only tests whose title matches. */
  filter: string | undefined
  /** A PostgreSQL for the tests: started on the first call. */
  databaseUrl: () => Promise<string>
}

export type Phase = {
  name: string
  group: string
  run: (request: Request) => Promise<Outcome>
  /** It mostly waits for processes of its own: such phases run side by side. */
  isPatient?: boolean
}

export const groups = ['static', 'unit', 'api', 'start', 'faults', 'browser'] as const

// neither a test that waits for ever nor one that leaves something open may hold up the others
const TEST_WITHIN_MS = 120_000

export const phases: readonly Phase[] = [
  check('types', 'static', ...['.', 'web', 'tests/browser'].map((project) => ['tsc', '--project', project])),
  check('lint', 'static', [
    'oxlint',
    '--type-aware',
    '--deny-warnings',
    ...existing('contract', 'domain', 'server', 'sandbox', 'database', 'web', 'scripts', 'tests', 'benchmarks'),
  ]),
  check('format', 'static', ['oxfmt', '--check', '.']),
  check('dead code', 'static', ['knip']),
  nodeTests('unit'),
  nodeTests('api', { atOnce: 3 }),
  { ...nodeTests('start'), isPatient: true },
  { ...nodeTests('faults', { withinMs: 2 * TEST_WITHIN_MS + Number(process.env['KILL_SECONDS'] ?? 30) * 1_000 }), isPatient: true },
  check('web build', 'browser', ['node', 'server/web-build.ts']),
  { name: 'browser', group: 'browser', run: runPlaywright },
]

function check(name: string, group: string, ...commands: string[][]): Phase {
  const run = async (): Promise<Outcome> => {
    const ends = await Promise.all(commands.map(([command = '', ...args]) => runCommand(command, args)))
    const failed = ends.filter(({ code }) => code !== 0)
    return {
      passed: failed.length === 0 ? 1 : 0,
      failed: failed.length === 0 ? 0 : 1,
      report: failed.map(({ output }) => output).join('\n'),
    }
  }
  return { name, group, run }
}

type Pace = {
  withinMs?: number
  /** A file and its database take turns, and both wait for what comes later: three keep two processors busy. */
  atOnce?: number
}

function nodeTests(group: string, { withinMs = TEST_WITHIN_MS, atOnce = 2 }: Pace = {}): Phase {
  const run = async ({ filter, databaseUrl }: Request): Promise<Outcome> => {
    const files = globSync(`tests/${group}/**/*.test.ts`).sort()
    if (files.length === 0) return { passed: 0, failed: 0, report: '' }
    const args = [
      '--test',
      '--test-reporter=spec',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${withinMs}`,
      ...(filter ? [`--test-name-pattern=${filter}`] : []),
      ...files,
    ]
    const { code, output } = await runCommand('node', args, { TEST_DATABASE_URL: await databaseUrl() })
    const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
    const failed = count('fail') + count('cancelled')
    // the list at the end has every failure with its reason; a runner that broke before it has said so somewhere
    const report = output.slice(Math.max(0, output.indexOf('✖ failing tests:')))
    return { passed: count('pass') - filesWithoutTests(output), failed: code === 0 ? failed : Math.max(1, failed), report }
  }
  return { name: group, group, run }
}

// a file in which no title matches is reported as a test of its own that passed
const filesWithoutTests = (output: string): number => [...output.matchAll(/^✔ \S+\.test\.ts \(/gm)].length

async function runPlaywright({ filter }: Request): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'yardbid-playwright-'))
  const file = join(folder, 'report.json')
  try {
    const args = ['test', '--reporter=line,json', '--pass-with-no-tests', ...(filter ? ['--grep', filter] : [])]
    const { code, output } = await runCommand('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: '0' })
    const { expected, unexpected, flaky } = existsSync(file)
      ? (JSON.parse(await readFile(file, 'utf8')) as { stats: Stats }).stats
      : nothing
    const failed = unexpected + flaky
    return { passed: expected, failed: code === 0 ? failed : Math.max(1, failed), report: output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Stats = { expected: number; unexpected: number; flaky: number }
const nothing: Stats = { expected: 0, unexpected: 0, flaky: 0 }

function existing(...folders: string[]): string[] {
  return folders.filter((folder) => existsSync(folder))
}
