import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWebKit } from '#scripts/browsers/webkit.ts'
import { runCommand } from '#scripts/run-command.ts'
import { runTestFiles } from '#scripts/test-files.ts'
import { describeFailure, startProgress, type Outcome } from '#scripts/test-progress.ts'

export type Request = {
  /** Only tests whose title matches. */
  filter: string | undefined
  /** Only the test file whose path ends like this. */
  file: string | undefined
  /** A PostgreSQL for the tests: started on the first call. */
  databaseUrl: () => Promise<string>
}

export type Phase = {
  name: string
  group: string
  /** Only when its group is named: it downloads too much for every machine's first run. */
  isOnRequest?: boolean
  /** Tells of every failure itself, when it happens. */
  run: (request: Request) => Promise<Outcome>
}

export const groups = ['static', 'unit', 'api', 'start', 'faults', 'browser', 'second-engine'] as const

// Neither a test that waits for ever nor one that leaves something open may hold up the others. Far more than any test takes, on any
// machine: how fast a machine is must not decide whether a test passes.
const TEST_WITHIN_MS = 600_000
const FAULTS_WITHIN_MS = 2 * TEST_WITHIN_MS + Number(process.env['KILL_SECONDS'] ?? 30) * 1_000

/** Phases that run one after the other. */
export type Lane = readonly Phase[]

/** One turn after the other; the lanes of a turn side by side. */
export const turns: readonly (readonly Lane[])[] = [
  [
    [check('types', 'static', ...['.', 'web', 'tests/browser'].map((project) => ['tsc', '--project', project]))],
    [
      check('lint', 'static', [
        'oxlint',
        '--type-aware',
        '--deny-warnings',
        ...existing('contract', 'domain', 'server', 'sandbox', 'database', 'web', 'scripts', 'tests', 'benchmarks'),
      ]),
    ],
    [check('format', 'static', ['oxfmt', '--check', '.'])],
    [check('dead code', 'static', ['knip'])],
  ],
  // Lanes of about the same length: two processors stay busy to the end with two files of the API, one of start or faults and two
  // pages at once. More would be too slow for limits of the product itself, such as the ten seconds in which it stops. The tests of
  // start and faults mostly wait for processes of their own, none of which serves the web.
  [
    [nodeTests('unit'), nodeTests('api')],
    [nodeTests('start', { atOnce: 1 }), nodeTests('faults', { withinMs: FAULTS_WITHIN_MS, atOnce: 1 })],
    [check('web build', 'browser', ['node', 'server/web-build.ts']), { name: 'browser', group: 'browser', run: runPlaywright }],
  ],
  [[{ name: 'second engine', group: 'second-engine', isOnRequest: true, run: runWebKit }]],
]

function check(name: string, group: string, ...commands: string[][]): Phase {
  const run = async (): Promise<Outcome> => {
    const ends = await Promise.all(commands.map(([command = '', ...args]) => runCommand(command, args)))
    const broken = ends.filter(({ code }) => code !== 0)
    if (broken.length === 0) return { passed: 1, failed: 0 }
    console.log(describeFailure({ group, name, title: 'failed', reason: broken.map(({ output }) => output).join('\n') }))
    return { passed: 0, failed: 1 }
  }
  return { name, group, run }
}

type Pace = {
  withinMs?: number
  /** How many files. */
  atOnce?: number
}

function nodeTests(group: string, { withinMs = TEST_WITHIN_MS, atOnce = 2 }: Pace = {}): Phase {
  const run = async ({ filter, file, databaseUrl }: Request): Promise<Outcome> => {
    const folder = join('tests', group)
    const files = globSync(`${folder}/**/*.test.ts`).filter((path) => !file || path.endsWith(`/${file}`))
    if (files.length === 0) return { passed: 0, failed: 0 }
    const progress = startProgress(group, files.length)
    await runTestFiles({ files, folder, filter, withinMs, atOnce, env: { TEST_DATABASE_URL: await databaseUrl() }, progress })
    return progress.outcome()
  }
  return { name: group, group, run }
}

async function runPlaywright({ filter, file: chosen }: Request): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'yardbid-playwright-'))
  const file = join(folder, 'report.json')
  try {
    const args = [
      'test',
      '--reporter=./scripts/test-browser-reporter.ts,json',
      '--pass-with-no-tests',
      ...(filter ? ['--grep', filter] : []),
      ...(chosen ? [`/${chosen}$`] : []),
    ]
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, FORCE_COLOR: '0' }
    const { code, output } = await runCommand('playwright', args, env, (text) => void process.stdout.write(text))
    const { expected, unexpected, flaky } = existsSync(file)
      ? (JSON.parse(await readFile(file, 'utf8')) as { stats: Stats }).stats
      : nothing
    const failed = unexpected + flaky
    if (code !== 0 && failed === 0 && output.trim() === '') console.log('✗ browser: Playwright ended without a word')
    return { passed: expected, failed: code === 0 ? failed : Math.max(1, failed) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A machine that cannot have WebKit passes, and says why. */
async function runWebKit(request: Request): Promise<Outcome> {
  const webKit = await findWebKit()
  if (!('unavailable' in webKit)) return nodeTests('second-engine').run(request)
  console.log(`second engine: WebKit is not available on this machine: ${webKit.unavailable}`)
  return { passed: 1, failed: 0 }
}

type Stats = { expected: number; unexpected: number; flaky: number }
const nothing: Stats = { expected: 0, unexpected: 0, flaky: 0 }

function existing(...folders: string[]): string[] {
  return folders.filter((folder) => existsSync(folder))
}
