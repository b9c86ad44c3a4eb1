import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from '#tests/support/properties.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { availableActions, decide, stepsFrom } from '#domain/sales/listing-machine.ts'
import { effects, type Actor, type ListingFacts, type Resolution } from '#domain/sales/listing-machine-step.ts'
import { lifeDiagram } from '#domain/sales/listing-life-diagram.ts'
import { now, later, earlier, facts, all, issueCanBeRaised, key, allowed, people, names } from '#tests/support/sales/rules-table.ts'

/** What RULES §4 has for a person in a status; any other name is refused, as shown above. */
const actionsOf = (status: ListingStatus | null, actor: Actor) =>
  names.filter((name) => people.includes(actor) && allowed.has(key(status, name, actor)))
const granted = (actions: readonly string[], status: ListingStatus | null, actor: Actor, known: ListingFacts) =>
  actions.filter((name) => 'to' in decide({ status, name, actor, facts: known }))
const offered = (status: ListingStatus | null, actor: Actor, known: ListingFacts) =>
  availableActions(status, actor, known).map(({ action }) => action)
const sorted = (actions: string[]) => actions.sort().join()

const booleans = [true, false]
/** Each fact at each of its sides, alone and in pairs. */
const sides: { [K in keyof ListingFacts]?: readonly ListingFacts[K][] } = {
  may_create: booleans,
  email_confirmed: booleans,
  account_completed: booleans,
  form_complete: booleans,
  media: ['checking', 'fine', 'flagged'],
  bid_count: [0, 1],
  reservation_price: [null, 5_000],
  reservation_met: booleans,
  withdraw_until: [null, earlier, now, later],
  can_offer_at_reservation_price: booleans,
  relisted: booleans,
  buyer_verified: booleans,
  seller_verified: booleans,
  vat: ['settled', 'unchecked', 'failed'],
  seller_invoices: booleans,
  next_bidder: ['none', 'meets_reservation', 'below_reservation'],
  reservation_waived: booleans,
  offers_made: [0, 2, 3, 4],
  has_missed_buyer: booleans,
  reinstated: booleans,
  cancel_agreed_by: [null, 'seller', 'buyer'],
  paid: [0, 12_000],
  due: [0, 1],
  payment_under_way: booleans,
  dispute: [null, 'opened', 'won', 'lost'],
  dispute_open: booleans,
  leader_suspended: booleans,
  buyer_licensed: booleans,
  balance_of: ['first_payment', 'amend'],
  deferred: booleans,
  deferred_granted: booleans,
  deferred_limit_free: booleans,
  accepts_deferred_payment: booleans,
  is_hazardous: booleans,
  overdue: booleans,
  transfer_method_id: [1, 2],
  slot: [null, earlier, now, later],
  eta: [null, earlier, now, later],
  reschedules: [0, 1, 2],
  amends_requested: [0, 1, 2],
  amend_rejected: booleans,
  amend_weight_only: booleans,
  amend_weight_off: [0, 2.5, 2.6],
  amend_has_ticket: booleans,
  amend_difference: [-1, 0, 1],
  returns_started: [0, 1],
  former_status: [null, ...issueCanBeRaised],
  due_at: [earlier, now, later].map((due) => Object.fromEntries(names.map((name) => [name, due]))),
}
const singles = Object.entries(sides).flatMap(([name, values]) => values.map((value): Partial<ListingFacts> => ({ [name]: value })))

test('available_actions offers exactly what decide() grants: every status × person × pair of facts', () => {
  const pairs = singles.flatMap((one, at) => singles.slice(at).map((other) => facts({ ...one, ...other })))
  for (const status of [null, ...all])
    for (const actor of people) {
      const actions = actionsOf(status, actor)
      for (const known of pairs) assert.equal(sorted(offered(status, actor, known)), sorted(granted(actions, status, actor, known)))
    }
})

test('available_actions offers nothing to time, provider or VAT check', () => {
  for (const status of [null, ...all])
    for (const actor of ['time', 'provider', 'vat_check'] as const)
      for (const known of singles) assert.deepEqual(availableActions(status, actor, facts(known)), [])
})

/** Any facts at all; what an admin chose is one of the choices that he was given. */
const anyFacts: fc.Arbitrary<ListingFacts> = fc
  .record({
    ...(Object.fromEntries(Object.entries(sides).map(([name, values]) => [name, fc.constantFrom(...(values as unknown[]))])) as Record<
      string,
      fc.Arbitrary<unknown>
    >),
    due_at: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(earlier, now, later)),
    resolution: fc.constantFrom<Resolution>('refund_all', 'refund_amount', 'complete', 'expire'),
  })
  .map((changes) => facts(changes as Partial<ListingFacts>))
  .map((known) => (known.paid > 0 || known.deferred ? known : { ...known, resolution: 'expire' }))

test('random walks from nowhere never leave the 24 statuses, take only steps of RULES §4, and are offered what they may do', () => {
  const visited = new Set<ListingStatus | null>()
  const move = fc.record({ known: anyFacts, pick: fc.nat() })
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 60 }), (moves) => {
      let status: ListingStatus | null = null
      for (const { known, pick } of moves) {
        const open: { name: string; actor: Actor }[] = stepsFrom(status).flatMap(({ name, by }) => by.map((actor) => ({ name, actor })))
        const chosen = open[pick % open.length]
        if (!chosen) return
        const answer: ReturnType<typeof decide> = decide({ status, ...chosen, facts: known })
        const { actor } = chosen
        assert.equal(sorted(offered(status, actor, known)), sorted(granted(actionsOf(status, actor), status, actor, known)))
        if ('refused' in answer) continue
        assert.ok(all.includes(answer.to))
        assert.ok(allowed.has(key(status, chosen.name, chosen.actor)))
        for (const effect of answer.effects) assert.ok(effects.includes(effect))
        status = answer.to
        visited.add(status)
      }
    }),
    { numRuns: 2_000 },
  )
  assert.ok(visited.size > 12, `only ${[...visited].join(', ')}`)
})

test('the diagram in the docs is drawn from the table', async () => {
  const drawn = await readFile('docs/listing-life.md', 'utf8')
  assert.ok(drawn.includes(`\`\`\`mermaid\n${lifeDiagram()}\n\`\`\``), `Put this into docs/listing-life.md:\n${lifeDiagram()}`)
})
