import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { clocksOf, type Decision } from '#domain/sales/listing-machine.ts'
import type { Effect, ListingFacts, Moment } from '#domain/sales/listing-machine-step.ts'
import type { Random } from '#tests/support/random.ts'

// The life of one listing in a model without a server: facts that change as the steps of RULES §4 are taken, and as the world moves on
// (bids, checks, money, chargebacks, time).

export type ModelLife = {
  status: ListingStatus | null
  facts: ListingFacts
  moments: Partial<Record<Moment, number>>
  total: number
  /** Of the bidders below the leader, who was not offered it yet: whether their bid meets the reservation price. */
  others: boolean[]
}

const HOUR = 3_600_000
const WINDOW = 24 * HOUR
const FIRST = Date.UTC(2026, 2, 2, 12)

export function newLife(random: Random): ModelLife {
  const chance = (percent: number) => random.between(1, 100) <= percent
  const total = random.between(100, 1_000_000)
  const hasReservation = chance(50)
  return {
    status: null,
    total,
    moments: {},
    others: [],
    facts: {
      now: new Date(FIRST),
      due_at: {},
      may_create: true,
      email_confirmed: true,
      account_completed: true,
      form_complete: true,
      media: 'checking',
      bid_count: 0,
      reservation_price: hasReservation ? total : null,
      reservation_met: !hasReservation,
      withdraw_until: null,
      can_offer_at_reservation_price: false,
      leader_suspended: chance(3),
      relisted: false,
      is_hazardous: chance(10),
      buyer_verified: chance(80),
      seller_verified: chance(80),
      vat: random.oneOf(['settled', 'settled', 'settled', 'failed', 'unchecked']),
      seller_invoices: chance(20),
      next_bidder: 'none',
      reservation_waived: false,
      offers_made: 0,
      offer_depth: 3,
      has_missed_buyer: false,
      reinstated: false,
      cancel_agreed_by: null,
      paid: 0,
      due: 0,
      payment_under_way: false,
      balance_of: 'first_payment',
      deferred: false,
      deferred_granted: chance(30),
      deferred_limit_free: chance(90),
      accepts_deferred_payment: chance(60),
      overdue: false,
      dispute: null,
      dispute_open: false,
      transfer_method_id: random.oneOf(Object.values(transferMethods)),
      buyer_licensed: chance(95),
      slot: null,
      eta: null,
      reschedules: 0,
      amends_requested: 0,
      amend_rejected: false,
      amend_weight_only: false,
      amend_weight_off: 0,
      amend_tolerance: 2.5,
      amend_has_ticket: false,
      amend_difference: 0,
      returns_started: 0,
      former_status: null,
      resolution: 'expire',
    },
  }
}

/** The status and the facts after a step that the machine has decided on. */
export function takeInModel(life: ModelLife, { to, isMove, effects }: Decision, taker: string, random: Random): void {
  const { facts, moments } = life
  const from = life.status
  const now = facts.now.getTime()
  if (isMove) {
    life.status = to
    moments.entered = now
    moments.offered = now
  }
  if (effects.includes('keep_former_status') && from) facts.former_status = from
  if (taker === 'seller' || taker === 'buyer') {
    if (effects.includes('note_agreement')) facts.cancel_agreed_by = taker
  }
  for (const effect of effects) changes[effect]?.(life, random)
  recount(life)
  setClocks(life)
}

/** What follows from money and bids. */
export function recount({ facts, total, others }: ModelLife): void {
  facts.due = Math.max(0, total - facts.paid)
  facts.next_bidder = others[0] === undefined ? 'none' : others[0] ? 'meets_reservation' : 'below_reservation'
}

/** When each clock of the status runs out. */
function setClocks({ status, facts, moments }: ModelLife): void {
  const due: Record<string, Date> = {}
  facts.due_at = due
  if (status === null) return
  for (const { step, clock } of clocksOf(status, facts)) {
    const since = moments[clock.since]
    if (since !== undefined) due[step] = new Date(clock.setting === null ? since : since + WINDOW)
  }
}

const amends = [
  { amend_weight_only: true, amend_weight_off: 1, amend_has_ticket: true },
  { amend_weight_only: true, amend_weight_off: 9, amend_has_ticket: true },
  { amend_weight_only: false, amend_weight_off: 0, amend_has_ticket: false },
]

/** A sale that begins: nothing of an earlier buyer's counts. */
function freshSale(life: ModelLife): void {
  Object.assign(life.facts, {
    paid: 0,
    balance_of: 'first_payment',
    payment_under_way: false,
    cancel_agreed_by: null,
    deferred: false,
    overdue: false,
    dispute: null,
    dispute_open: false,
  } satisfies Partial<ListingFacts>)
}

function offerNext(life: ModelLife, random: Random): void {
  freshSale(life)
  life.others.shift()
  life.facts.offers_made += 1
  life.facts.reinstated = false
  life.facts.buyer_verified = random.between(1, 100) <= 80
}

/** Of every effect that changes a fact. */
const changes: Partial<Record<Effect, (life: ModelLife, random: Random) => void>> = {
  set_end({ facts, moments }, random) {
    const end = facts.now.getTime() + random.between(1, 14) * 24 * HOUR
    moments.expires_at = end
    moments.ended = end
    facts.withdraw_until = new Date(end - 12 * HOUR)
  },
  start_over: ({ facts }) => void Object.assign(facts, { former_status: null, media: 'checking' } satisfies Partial<ListingFacts>),
  copy_into_new_listing: ({ facts }) => void (facts.relisted = true),
  lower_reservation_price({ facts }, random) {
    facts.reservation_price = Math.max(1, (facts.reservation_price ?? 2) - 1)
    facts.reservation_met = random.between(0, 1) === 1
  },
  resume_clocks({ facts, moments, status }) {
    const now = facts.now.getTime()
    for (const moment of Object.keys(moments) as Moment[]) if (moment !== 'ended') moments[moment] = now
    if (status === 'Active') moments.expires_at = now + WINDOW
    if (facts.media === 'flagged') facts.media = 'fine'
    facts.leader_suspended = false
  },
  start_inspection_clock: ({ facts, moments }) => void (moments.received = facts.now.getTime()),
  resume_inspection_clock: ({ facts, moments }) => void (moments.received = facts.now.getTime() - WINDOW / 2),
  freeze_winner: freshSale,
  offer_at_reservation_price: freshSale,
  offer_to_next_bidder: offerNext,
  close_bids: (life) => void (life.others = []),
  close_losing_bids: (life) => void (life.others = []),
  miss_bid: ({ facts }) => void (facts.has_missed_buyer = true),
  reinstate_bid(life) {
    freshSale(life)
    life.facts.reinstated = true
  },
  allow_reservation_offer: ({ facts }) => void (facts.can_offer_at_reservation_price = true),
  clear_reservation_offer: ({ facts }) => void (facts.can_offer_at_reservation_price = false),
  waive_reservation: ({ facts }) => void (facts.reservation_waived = true),
  keep_vat_reference: ({ facts }) => void (facts.vat = 'settled'),
  start_payment: ({ facts }) => void (facts.payment_under_way = true),
  end_payment: ({ facts }) => void (facts.payment_under_way = false),
  refund_all: ({ facts }) => void (facts.paid = 0),
  refund_difference: (life) => void (life.facts.paid = Math.min(life.facts.paid, life.total)),
  hear_dispute: ({ facts }) => void (facts.dispute = null),
  use_deferred_limit: ({ facts }) => void (facts.deferred = true),
  start_deferred_payment: ({ facts, moments }, random) =>
    void (moments.deferred_expires_at = facts.now.getTime() + random.between(1, 30) * 24 * HOUR),
  block_bidding: ({ facts }) => void (facts.overdue = true),
  show_addresses: ({ facts }) => void (facts.balance_of = 'amend'),
  set_slot({ facts, moments }, random) {
    if (facts.slot) facts.reschedules += 1
    facts.slot = new Date(facts.now.getTime() + random.between(1, 72) * HOUR)
    moments.slot = facts.slot.getTime()
  },
  set_eta({ facts, moments }, random) {
    facts.eta = new Date(facts.now.getTime() + random.between(1, 72) * HOUR)
    moments.eta = facts.eta.getTime()
  },
  set_return_eta: ({ facts, moments }) => void (moments.return_eta = facts.now.getTime() + HOUR),
  request_amend({ facts, total }, random) {
    facts.amends_requested += 1
    const most = Math.max(1, Math.floor(total / 2))
    Object.assign(facts, random.oneOf(amends), { amend_difference: random.oneOf([-1, 1]) * random.between(1, most) })
  },
  approve_amend: (life) => void (life.total = Math.max(1, life.total + life.facts.amend_difference)),
  reject_amend: ({ facts, moments }) => {
    facts.amend_rejected = true
    moments.rejected = facts.now.getTime()
  },
  start_return: ({ facts }) => void (facts.returns_started += 1),
}
