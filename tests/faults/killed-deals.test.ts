import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKilledWorld, type Kills } from '#tests/faults/killed-world.ts'
import { simulate } from '#tests/simulation/simulate.ts'

// KILLS=20 kills the server as often, with more deals.

const KILLS = Number(process.env['KILLS'] ?? 2)
const wanted: Kills = { server: KILLS, postgres: Math.ceil(KILLS / 5) }
const deals = 4 + 2 * KILLS
const seed = Number(process.env['TEST_SEED'] ?? 20_261_116)

test(`${deals} simulated deals while the server is killed ${wanted.server} times and PostgreSQL ${wanted.postgres} times: each ends and balances`, async (t) => {
  let killed: Kills | undefined
  const { faults, histories, refusals, seconds } = await simulate({
    deals,
    seed,
    coversTable: false,
    report: (line) => t.diagnostic(`${line}, ${JSON.stringify(killed)}`),
    async open() {
      const opened = await openKilledWorld(seed, wanted)
      ;({ killed } = opened)
      return opened.world
    },
  })
  t.diagnostic(`${JSON.stringify(killed)} in ${seconds.toFixed(0)} s; refused: ${JSON.stringify([...refusals])}`)
  assert.deepEqual(killed, wanted)
  assert.deepEqual(faults, [], [`seed ${seed}`, ...histories].join('\n'))
})
