import { resolve } from 'node:path'
import { endCommands } from '#scripts/run-command.ts'
import { groups, turns, type Lane, type Phase } from '#scripts/test-phases.ts'
import { countsOf, describeFailure, elapsed, secondsSince, type Outcome } from '#scripts/test-progress.ts'
import { throwAwayCluster } from '#tests/support/processes/cluster.ts'

// npm test [static | unit | api | start | faults | browser | second-engine] [part of a title, or a file such as bids/together.test.ts]

process.chdir(resolve(import.meta.dirname, '..'))
// every process of the tests loads the whole server: read from here, that takes half the time
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compiled')

const [first, ...rest] = process.argv.slice(2)
const group = groups.find((name) => name === first)
const chosen = (group ? rest : [first, ...rest]).filter(Boolean).join(' ') || undefined
const [file, filter] = chosen?.endsWith('.test.ts') ? [chosen, undefined] : [undefined, chosen]
const isChosen = (phase: Phase) => (group ? phase.group === group : !phase.isOnRequest && (!chosen || phase.group !== 'static'))

let cluster: ReturnType<typeof throwAwayCluster> | undefined
const databaseUrl = async () => (await (cluster ??= throwAwayCluster())).url

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    interrupted = true
    void endCommands()
  })
}

const total: Outcome = { passed: 0, failed: 0 }
try {
  for (const turn of turns) {
    if (interrupted) break
    await Promise.all(turn.map(runLane))
  }
} finally {
  await (await cluster)?.remove()
}
if (interrupted) console.log('Interrupted.')
if (total.passed + total.failed === 0) console.log('No test ran.')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = interrupted ? 130 : total.failed > 0 || total.passed === 0 ? 1 : 0

async function runLane(lane: Lane): Promise<void> {
  for (const phase of lane.filter(isChosen)) {
    if (interrupted) return
    const { passed, failed } = await runPhase(phase)
    total.passed += passed
    total.failed += failed
  }
}

async function runPhase(phase: Phase): Promise<Outcome> {
  const began = performance.now()
  const outcome = await phase.run({ filter, file, databaseUrl }).then(
    (ended) => refuseNothing(phase, ended),
    (error: unknown) => broken(phase, error),
  )
  console.log(`${outcome.failed === 0 ? '✓' : '✗'} ${phase.name} ${countsOf(outcome)} ${secondsSince(began)} (elapsed ${elapsed()})`)
  return outcome
}

// unless some were chosen, a phase that found no test has lost its tests
function refuseNothing(phase: Phase, outcome: Outcome): Outcome {
  return chosen || interrupted || outcome.passed + outcome.failed > 0 ? outcome : broken(phase, 'No test was found.')
}

// one phase that cannot run must not hide the others
function broken({ name, group: of }: Phase, error: unknown): Outcome {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  console.log(describeFailure({ group: of, name, title: 'could not run', reason }))
  return { passed: 0, failed: 1 }
}
