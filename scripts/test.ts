import { resolve } from 'node:path'
import { endCommands } from '#scripts/run-command.ts'
import { groups, phases as allPhases, type Outcome, type Phase } from '#scripts/test-phases.ts'
import { throwAwayCluster } from '#tests/support/processes/cluster.ts'

// npm test [static | unit | api | start | faults | browser] [part of a title]

process.chdir(resolve(import.meta.dirname, '..'))
// every test file is a process that loads the whole server: read from here, that takes half the time
process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compiled')

const [first, ...rest] = process.argv.slice(2)
const group = groups.find((name) => name === first)
const filter = (group ? rest : [first, ...rest]).filter(Boolean).join(' ') || undefined
const chosen = allPhases.filter((phase) => (group ? phase.group === group : !filter || phase.group !== 'static'))

let cluster: ReturnType<typeof throwAwayCluster> | undefined
const databaseUrl = async () => (await (cluster ??= throwAwayCluster())).url

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    interrupted = true
    void endCommands()
  })
}

const total = { passed: 0, failed: 0 }
try {
  for (const phases of sideBySide(chosen)) {
    if (interrupted) break
    for (const { passed, failed } of await Promise.all(phases.map(runPhase))) {
      total.passed += passed
      total.failed += failed
    }
  }
} finally {
  await (await cluster)?.remove()
}
if (interrupted) console.log('Interrupted.')
if (total.passed + total.failed === 0) console.log('No test ran.')
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = interrupted ? 130 : total.failed > 0 || total.passed === 0 ? 1 : 0

/** Patient phases that follow one another, as one turn. */
function sideBySide(all: readonly Phase[]): Phase[][] {
  const turns: Phase[][] = []
  for (const phase of all) {
    const last = turns.at(-1)
    if (phase.isPatient && last?.at(-1)?.isPatient) last.push(phase)
    else turns.push([phase])
  }
  return turns
}

async function runPhase(phase: Phase): Promise<Outcome> {
  const began = performance.now()
  const outcome = await phase.run({ filter, databaseUrl }).then(refuseNothing, broken)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { passed, failed, report } = outcome
  console.log(
    `${failed === 0 ? '✓' : '✗'} ${phase.name.padEnd(10)} ${`${passed} passed, ${failed} failed`.padEnd(24)} ${seconds.padStart(6)} s`,
  )
  if (failed > 0 && !interrupted) console.log(`\n${report.trim()}\n`)
  return outcome
}

// without a filter, a phase that found no test has lost its tests
function refuseNothing(outcome: Outcome): Outcome {
  if (filter || outcome.passed + outcome.failed > 0) return outcome
  return { ...outcome, failed: 1, report: outcome.report || 'No test was found.' }
}

// one phase that cannot run must not hide the others
function broken(error: unknown): Outcome {
  return { passed: 0, failed: 1, report: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
