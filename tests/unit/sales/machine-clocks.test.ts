import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { settings, type SettingKey } from '#contract/settings.ts'
import { availableActions, decide, findStep, timeStepsFrom } from '#domain/sales/listing-machine.ts'
import { type ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { now, later, earlier, facts, all, inFull, cases, taken } from '#tests/support/sales/rules-table.ts'

// RULES §4 and §8: what time does, and the setting that says when ('–': at the moment itself, or as soon as it can be)
const clocks: [ListingStatus, string, SettingKey | '–', SettingKey?][] = [
  ['Processing', 'ready', '–'],
  ['Processing', 'flag', '–'],
  ['Processing', 'get_stuck', 'processing_window'],
  ['Active', 'end_without_bid', '–'],
  ['Active', 'end_below_reservation', '–'],
  ['Active', 'end_sold', '–'],
  ['ReservationPrice', 'lapse_offer', 'offer_window'],
  ['AwaitingKYC', 'kyc_lapsed', 'kyc_window'],
  ['AwaitingVatNumberVerification', 'vat_lapsed', 'vat_window'],
  ['InvoiceRequired', 'issue_invoice', 'invoice_window'],
  ['PendingPayment', 'miss_payment', 'reinstate_window', 'payment_window'],
  ['MissedPayment', 'lapse_missed_payment', 'missed_payment_window'],
  ['NextBidder', 'lapse_offer', 'offer_window'],
  ['DocumentsRequired', 'documents_late', 'documents_window'],
  ['PendingCollection', 'collection_late', 'collection_window'],
  ['Dispatched', 'presume_received', 'delivery_window'],
  ['ReceivedGoods', 'presume_accepted', 'amend_answer_window', 'inspection_window'],
  ['ReviewAmend', 'amend_unanswered', 'amend_answer_window'],
  ['ApprovedAmendsDocumentsRequired', 'issue_amend_papers', 'amend_papers_window'],
  ['BalanceDue', 'miss_balance', 'balance_window'],
  ['DeferredPayment', 'become_overdue', '–'],
  ['DeferredPayment', 'stay_overdue', 'deferred_grace'],
  ['ReturnStarted', 'lapse_return', 'return_window'],
  ['ReturnDispatched', 'presume_returned', 'return_confirm_window'],
]

test('time does what RULES §4 says, after the settings of RULES §8', () => {
  const inTable = all.flatMap((status) =>
    timeStepsFrom(status).map(({ name, clocks }) =>
      [status, name, ...clocks.map(({ setting }) => setting ?? '–')].concat(clocks.length ? [] : ['–']),
    ),
  )
  assert.deepEqual(inTable.map(String).sort(), clocks.map(String).sort())
  const used = clocks.flatMap(([, , ...keys]) => keys).filter((one) => one !== undefined && one !== '–')
  for (const name of used) assert.match(JSON.stringify(settings[name].default), /^"\d+(m|h|d|bd)"$/)
})

test('a reinstated buyer has the shorter time, and so has one whose amend was rejected', () => {
  const settingOf = (status: ListingStatus, known: Partial<ListingFacts>) =>
    timeStepsFrom(status)[0]?.clocks.find(({ when }) => when?.(facts(known)) ?? true)?.setting
  assert.equal(settingOf('PendingPayment', {}), 'payment_window')
  assert.equal(settingOf('PendingPayment', { reinstated: true }), 'reinstate_window')
  assert.equal(settingOf('ReceivedGoods', {}), 'inspection_window')
  assert.equal(settingOf('ReceivedGoods', { amend_rejected: true }), 'amend_answer_window')
})

const timed = cases.filter(({ status, action, actor }) => actor === 'time' && findStep(status, action, actor)?.after)

for (const { status, action, when } of timed) {
  test(`${status}: ${action} waits for its time`, () => {
    for (const due_at of [{}, { [action]: later }]) {
      const answer = decide({ status, name: action, actor: 'time', facts: facts({ ...when, due_at }) })
      assert.deepEqual(answer, { refused: 'conflict', reason: 'It is not time for this yet.' })
    }
  })
}

test('what the clock has ended is closed to the parties at that very instant, and not a moment earlier', () => {
  const overtaking = timed.filter(({ status, to }) => status !== to || status === 'NextBidder')
  for (const { status, action, when } of overtaking) {
    for (const actor of ['seller', 'buyer'] as const) {
      assert.deepEqual(availableActions(status, actor, facts({ ...when, due_at: { [action]: now } })), [], `${actor} in ${status}`)
      const before = availableActions(status, actor, facts({ ...when, due_at: { [action]: later } }))
      assert.deepEqual(before, availableActions(status, actor, facts(when)))
    }
  }
})

test('an overdue payment can still be paid, and money that has arrived counts after the time is over', () => {
  const overdue = facts({ overdue: true, due_at: { become_overdue: earlier, stay_overdue: later } })
  taken(decide({ status: 'DeferredPayment', name: 'pay', actor: 'buyer', facts: overdue }))
  const late = facts({ ...inFull, due_at: { miss_payment: earlier } })
  assert.equal(taken(decide({ status: 'PendingPayment', name: 'paid', actor: 'provider', facts: late })).to, 'DocumentsRequired')
})
