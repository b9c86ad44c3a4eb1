import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { branchesOf, decide, stepsFrom, timeStepsFrom } from '#domain/sales/listing-machine.ts'
import { actors, effects } from '#domain/sales/listing-machine-step.ts'
import { finalStatuses, steps } from '#domain/sales/listing-machine-table.ts'
import {
  now,
  later,
  earlier,
  plain,
  facts,
  all,
  sold,
  oneMore,
  disputed,
  withTerms,
  inFull,
  names,
  cases,
  key,
  allowed,
  possible,
  dueNow,
  taken,
} from '#tests/support/sales/rules-table.ts'

test('the table has every row of RULES §4 and no other', () => {
  const inTable = steps.flatMap(({ name, from, by }) => from.flatMap((status) => by.map((actor) => key(status, name, actor))))
  assert.deepEqual([...new Set(inTable)].sort(), [...allowed].sort())
  assert.equal(new Set(inTable).size, inTable.length, 'two rows for the same status, action and actor')
})

test('every status × action × actor that is not in RULES §4 is refused, whatever the facts', () => {
  const generous = facts({ ...sold, ...inFull, ...withTerms, ...oneMore, ...disputed, slot: earlier, eta: earlier, amend_rejected: true })
  const whenever = { ...generous, due_at: Object.fromEntries(names.map((name) => [name, now])) }
  const sooner = { ...generous, due_at: Object.fromEntries(names.map((name) => [name, later])) }
  let refused = 0
  for (const status of [null, ...all]) {
    for (const name of [...names, 'sell_twice', '__proto__', '']) {
      for (const actor of actors.filter((one) => !allowed.has(key(status, name, one)))) {
        const expected = possible.has(`${status} ${name}`) ? 'not_yours' : 'conflict'
        for (const known of [plain, generous, whenever, sooner]) {
          const answer = decide({ status, name, actor, facts: known })
          assert.ok('refused' in answer, `${actor} may ${name} in ${status}`)
          assert.equal(answer.refused, expected, `${actor}, ${name}, ${status}`)
          refused += 1
        }
      }
    }
  }
  assert.equal(refused, 4 * (25 * (names.length + 3) * actors.length - allowed.size))
})

const destinations = (status: ListingStatus) =>
  stepsFrom(status).flatMap((step) => branchesOf(step).map(({ to }) => (to === 'unchanged' ? status : to)))

test('every one of the 24 statuses is reached from Processing', () => {
  const reached = new Set<ListingStatus>(['Processing'])
  for (const status of reached) for (const to of destinations(status)) reached.add(to)
  assert.equal(all.length, 24)
  assert.deepEqual([...reached].sort(), [...all].sort())
})

test('every status that is not final can be left', () => {
  for (const status of all.filter((one) => !finalStatuses.includes(one)))
    assert.ok(
      destinations(status).some((to) => to !== status),
      status,
    )
})

test('every status that somebody is waited for in is left by time, by the payment provider or by an admin in the end', () => {
  const unwatched = all.filter((status) => !finalStatuses.includes(status) && !timeStepsFrom(status).length)
  assert.deepEqual(unwatched.sort(), ['Expired', 'HasAdminIssue'])
})

test('no step names an unknown status or effect, and each branch list ends in one that always holds', () => {
  for (const step of steps) {
    for (const status of step.from) assert.ok(status === null || all.includes(status), `${step.name} from ${status}`)
    for (const { to, effects: own = [] } of branchesOf(step)) {
      assert.ok(to === 'unchanged' || all.includes(to), `${step.name} to ${to}`)
      for (const effect of [...own, ...(step.effects ?? [])]) assert.ok(effects.includes(effect))
    }
    // an admin's choice may be none of those that are open
    if (!['release', 'resolve'].includes(step.name)) assert.equal(branchesOf(step).at(-1)?.when, undefined, step.name)
  }
})

test('every effect of the list belongs to a step', () => {
  const used = new Set(steps.flatMap((step) => [...(step.effects ?? []), ...branchesOf(step).flatMap((branch) => branch.effects ?? [])]))
  assert.deepEqual(
    effects.filter((effect) => !used.has(effect)),
    [],
  )
})

test('whatever leads to HasAdminIssue keeps the former status and stops the clocks', () => {
  for (const { status, actor, action, when, to } of cases.filter((row) => row.to === 'HasAdminIssue' && row.status !== 'HasAdminIssue')) {
    const answer = taken(decide({ status, name: action, actor, facts: facts({ ...dueNow(actor, action), ...when }) }))
    assert.deepEqual(answer.effects.slice(0, 2), ['keep_former_status', 'stop_clocks'], `${status} ${action} ${to}`)
    assert.ok(answer.tells.includes('admin'))
  }
})

test('whatever leads to PendingPayment authorises the holding fee, but for a release, which finds it as it was', () => {
  for (const { status, actor, action, when } of cases) {
    const answer = taken(decide({ status, name: action, actor, facts: facts({ ...dueNow(actor, action), ...when }) }))
    const enters = answer.to === 'PendingPayment' && status !== 'PendingPayment' && action !== 'release'
    assert.equal(answer.effects.includes('authorise_holding_fee'), enters, `${status} ${action}`)
  }
})

const disputes = ['dispute_opened', 'dispute_won', 'dispute_lost']
const ways: [ListingStatus, string[]][] = [
  ['RemovedByAdmin', ['restore', ...disputes]],
  ['ExchangeComplete', disputes],
  ['ReturnComplete', ['relist', ...disputes]],
  ['Expired', ['offer_to_highest_bidder', 'relist', 'raise_issue', ...disputes, 'remove']],
]
for (const [status, open] of ways)
  test(`${status} knows only ${open.join(', ')}`, () => {
    assert.deepEqual(
      stepsFrom(status)
        .map(({ name }) => name)
        .sort(),
      open.toSorted(),
    )
  })

test('what is complete stays so, and only a restore brings back what was removed', () => {
  for (const status of ['ExchangeComplete', 'ReturnComplete'] as const) assert.deepEqual(new Set(destinations(status)), new Set([status]))
  assert.deepEqual(new Set(destinations('RemovedByAdmin')), new Set(['RemovedByAdmin', 'Processing']))
})
