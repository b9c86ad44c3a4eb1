import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AvailableAction, Listing } from '#contract/listings.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { gbp } from '#domain/format.ts'
import { stepsFrom } from '#domain/sales/listing-machine.ts'
import { compareWeights } from '#domain/sales/weights.ts'
import { wordsOf } from '#web/features/sales/actions/action-words.ts'
import { nextStepOf } from '#web/features/sales/next-step.ts'
import { detourOf, stagesOf } from '#web/features/sales/stages.ts'
import { inOrder, nextAction } from '#web/listing/action-order.ts'

const statuses = Object.keys(listingStatuses) as ListingStatus[]

/** As far as the words of a page ask: a sale of £1,200.00 in this status. */
const sale = (name: ListingStatus, changes: Partial<Listing> = {}): Listing =>
  ({
    status: { id: 0, name, label: name, theme: 'primary' },
    amounts: {
      goods: gbp(100_000),
      vat: gbp(20_000),
      vat_rate: 20,
      total: gbp(120_000),
      paid: gbp(120_000),
      refunded: gbp(0),
      due: gbp(0),
    },
    available_actions: [],
    amends: [],
    exchange: null,
    payment: null,
    former_status: null,
    user_deferred_payment: null,
    transfer_method_id: 1,
    can_offer_at_reservation_price: true,
    bid_count: 3,
    server_time: '2026-11-15T12:00:00.000Z',
    ...changes,
  }) as Listing

test('the seller reads in every status but Active what comes next, and the buyer in every one after the auction', () => {
  const toBuyer = statuses.filter((status) => !['Processing', 'Active', 'Expired'].includes(status))
  const says = (words: string | undefined, of: string) => assert.match(words ?? '', /^[A-Z£].*\.$/, `${of}: ${words}`)
  for (const status of statuses.filter((each) => each !== 'Active')) says(nextStepOf(sale(status), 'seller'), `${status} to the seller`)
  for (const status of toBuyer) says(nextStepOf(sale(status), 'buyer'), `${status} to the buyer`)
})

test('every action of a party says what was done, and what it means before it cannot be undone', () => {
  const names = new Set(
    statuses.flatMap((status) => stepsFrom(status).flatMap(({ name, label, by }) => (label && by.some(isParty) ? [name] : []))),
  )
  // paying has a box of its own
  names.delete('pay')
  for (const name of names) {
    const { done, means } = wordsOf(name, 'Nothing said')
    assert.ok(means, `${name} does not say what it means`)
    assert.doesNotMatch(done, /Nothing said/, name)
  }
})

const isParty = (actor: string) => actor === 'seller' || actor === 'buyer'
const actions = (...names: string[]): AvailableAction[] => names.map((action) => ({ action, label: action, fields: [] }))

const nexts: [title: string, offered: string[], next: string | undefined][] = [
  ['a buyer who may only change the slot has no big button', ['reschedule'], undefined],
  ['the code comes before the slot', ['cancel_sale', 'reschedule', 'confirm_handover'], 'confirm_handover'],
  ['accepting comes before an amend and a return', ['accept_goods', 'request_amend', 'start_return', 'escalate'], 'accept_goods'],
  ['the next bidder comes before relisting', ['relist', 'offer_to_next_bidder', 'reinstate_buyer'], 'offer_to_next_bidder'],
  ['an amend is approved before it is rejected', ['reject_amend', 'approve_amend'], 'approve_amend'],
  ['sending back comes before keeping', ['cancel_return', 'dispatch_return'], 'dispatch_return'],
  ['contesting is never the next step', ['contest_return'], undefined],
]
for (const [title, offered, next] of nexts) test(`next action: ${title}`, () => assert.equal(nextAction(actions(...offered))?.action, next))

test('what ends something comes last', () =>
  assert.deepEqual(
    inOrder(actions('cancel_sale', 'reschedule', 'confirm_handover')).map(({ action }) => action),
    ['confirm_handover', 'reschedule', 'cancel_sale'],
  ))

const approved = [{ status: 'approved', difference: gbp(1_000) }] as Listing['amends']
const unpaid = { ...sale('PendingPayment').amounts, paid: gbp(0) } as Listing['amounts']
const steppers: [title: string, listing: Listing, done: number | undefined, detour: string | undefined][] = [
  ['unpaid', sale('PendingPayment'), 1, undefined],
  ['paid in part', sale('BalanceDue'), 1, 'Paid in part'],
  ['a balance after an amend', sale('BalanceDue', { amends: approved }), 4, 'Amend'],
  ['an issue stands where the sale stood', sale('HasAdminIssue', { former_status: 'DocumentsRequired' }), 2, 'Issue'],
  ['an issue of a listing that was not sold', sale('HasAdminIssue', { former_status: 'Active' }), undefined, 'Issue'],
  ['a return', sale('ReturnDispatched'), 4, 'Return'],
  ['deferred', sale('DeferredPayment', { amounts: unpaid }), 5, 'Paid later'],
  ['complete', sale('ExchangeComplete'), 6, undefined],
]
for (const [title, listing, done, detour] of steppers)
  test(`stepper: ${title}`, () => {
    assert.equal(stagesOf(listing)?.done, done)
    assert.equal(detourOf(listing)?.name, detour)
  })

test('stepper: goods that are handed over unpaid are on terms', () => {
  assert.equal(stagesOf(sale('PendingCollection', { amounts: unpaid }))?.names[1], 'On terms')
  assert.equal(stagesOf(sale('PendingCollection'))?.names[1], 'Paid')
})

test('weights: a ticket is compared with the listed weight, exactly at the edge of the tolerance too', () => {
  const of = (buyer_kg: number) => compareWeights({ listed_kg: 12_000, seller_kg: null, buyer_kg, tolerance: 2.5 }).at(-1)?.difference
  assert.deepEqual(of(11_700), { kg: -300, percent: -2.5, isWithin: true })
  assert.deepEqual(of(11_699), { kg: -301, percent: -2.51, isWithin: false })
  assert.deepEqual(of(12_300), { kg: 300, percent: 2.5, isWithin: true })
  assert.deepEqual(of(12_000), { kg: 0, percent: 0, isWithin: true })
})

test('weights: without a listed weight there is nothing to compare with', () =>
  assert.deepEqual(compareWeights({ listed_kg: null, seller_kg: 500, buyer_kg: null, tolerance: 2.5 }), [
    { of: 'seller', kg: 500, difference: null },
  ]))
