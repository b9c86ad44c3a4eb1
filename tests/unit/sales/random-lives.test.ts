import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { decide, stepsFrom, type Decision } from '#domain/sales/listing-machine.ts'
import type { Actor, Resolution } from '#domain/sales/listing-machine-step.ts'
import { finalStatuses, steps } from '#domain/sales/listing-machine-table.ts'
import { newLife, takeInModel, type ModelLife } from '#tests/support/sales/model-life.ts'
import { happens } from '#tests/support/sales/model-world.ts'
import { seededRandom, type Random } from '#tests/support/random.ts'

const STEPS = 1_000_000
// far more than any sale needs: two amends, a return, three offers and a second chance for each buyer
const MOST_MOVES = 60
const resolutions: readonly Resolution[] = ['refund_all', 'refund_amount', 'complete', 'expire']

const seed = Number(process.env['TEST_SEED'] ?? 20_261_115)

test('a million random steps by the table alone: every row and every status is visited, and no listing comes to a dead end', () => {
  const random = seededRandom(seed)
  const visited = new Map<string, number>()
  const rows = new Map<number, number>()
  let taken = 0
  let longest = 0
  while (taken < STEPS) {
    const life = newLife(random)
    const history: string[] = []
    let moves = 0
    do {
      const step = random.between(1, 100) <= 60 ? anyStep(life, random) : undefined
      if (!step) {
        happens(life, random)
        continue
      }
      const { decision, row, name, actor } = step
      rows.set(row, (rows.get(row) ?? 0) + 1)
      takeInModel(life, decision, actor, random)
      taken += 1
      history.push(`${name} → ${decision.to}`)
      visited.set(decision.to, (visited.get(decision.to) ?? 0) + 1)
      if (!decision.isMove) continue
      // an admin may raise and release as often as they like; everybody else comes to an end
      moves = actor === 'admin' ? 0 : moves + 1
      longest = Math.max(longest, moves)
      assert.ok(moves <= MOST_MOVES, `no end: ${history.join(', ')}`)
      assert.ok(canBeLeft(life), `a dead end (seed ${seed}): ${history.join(', ')}`)
    } while (!isOver(life, random))
  }
  const missing = steps.flatMap(({ name, from }, nth) => (rows.has(nth) ? [] : [`${name} from ${from.join(', ')}`]))
  assert.deepEqual(missing, [], `rows never taken (seed ${seed})`)
  assert.deepEqual(
    Object.keys(listingStatuses).filter((status) => !visited.has(status)),
    [],
    `statuses never visited (seed ${seed})`,
  )
  assert.ok(longest > 10, `the longest sale without an admin has ${longest} moves`)
})

type Chosen = { decision: Decision; row: number; name: string; actor: Actor }

// of guesses at a step that is open, before the world moves on instead
const TRIES = 6

/** A step that the table allows now, by anybody. What ends a sale early is taken seldom, or few would come to their exchange. */
function anyStep({ status, facts }: ModelLife, random: Random): Chosen | undefined {
  for (let tries = 0; tries < TRIES; tries++) {
    const step = random.oneOf(stepsFrom(status))
    const actor = random.oneOf(step.by)
    if (isSeldom(step.name, actor, status) && random.between(1, 20) > 1) continue
    facts.resolution = random.oneOf(resolutions)
    const decision = decide({ status, name: step.name, actor, facts })
    if ('to' in decision) return { decision, row: rowOf.get(step) ?? -1, name: step.name, actor }
  }
  return undefined
}

const early = [
  'withdraw',
  'add_note',
  'lower_reservation_price',
  'cancel_sale',
  'cancel_by_agreement',
  'dispute_opened',
  'pay',
  'get_stuck',
]
const isSeldom = (name: string, actor: Actor, status: ListingStatus | null) =>
  early.includes(name) || (actor === 'admin' && status !== 'HasAdminIssue')

const rowOf = new Map<object, number>(steps.map((step, nth) => [step, nth]))

/** Time alone moves it on, once the provider has settled what is on its way; where an admin is asked, the admin can end it. */
function canBeLeft({ status, facts }: ModelLife): boolean {
  if (status === null || isEnd(status)) return true
  if (status === 'HasAdminIssue') {
    return 'to' in decide({ status, name: 'resolve', actor: 'admin', facts: { ...facts, resolution: 'expire' } })
  }
  const runOut = { ...facts, now: new Date(8_000_000_000_000), payment_under_way: false }
  return stepsFrom(status).some(({ name, by }) => by.includes('time') && 'to' in decide({ status, name, actor: 'time', facts: runOut }))
}

const isEnd = (status: ListingStatus) => status === 'Expired' || finalStatuses.includes(status)

/** Most lives are over with their end; some listings are relisted, offered, restored or charged back after it. */
const isOver = ({ status }: ModelLife, random: Random) => status !== null && isEnd(status) && random.between(1, 3) > 1
