import { randomInt, randomUUID } from 'node:crypto'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { amendedAmounts, type AmendedAmounts, type AmendLine } from '#domain/sales/amend.ts'
import type { Decision } from '#domain/sales/listing-machine.ts'
import type { Actor, Effect, Told } from '#domain/sales/listing-machine-step.ts'
import { holdingFee, owed, percentOf } from '#domain/money.ts'
import { deferredEnd, dueAfter, movesClock } from '#server/features/sales/life/clocks.ts'
import type { Life } from '#server/features/sales/life/facts.ts'
import type { SettingReader } from '#server/features/settings/public.ts'

/** A step that the machine has decided on, for a listing whose row is locked, with everything that its effects write. */
export type TakenStep = {
  listing_id: string
  seller_id: string
  step: string
  from: ListingStatus
  to: ListingStatus
  is_move: boolean
  at: Date
  /** When time does something to it next. */
  due_at: Date | null
  moves_clock: boolean
  actor: Actor
  actor_id: string | null
  effects: readonly Effect[]
  tells: readonly Told[]
  /** The award that stands, or else the one that the step makes. */
  award_id: string | null
  /** The buyer, or the bidder an offer was made to, when the step was taken. */
  buyer_id: string | null
  /** Whom the step makes an offer to. */
  offered_to: string | null
  /** What came with it, such as a reason. */
  details: Readonly<Record<string, unknown>>
  award: NewAward | null
  /** The VAT of the goods if the seller charges any. */
  vat_if_charged: number | null
  holding_fee: number | null
  payment: { purpose: 'goods' | 'balance_due'; method: 'card' | 'bank_transfer'; amount: number } | null
  /** How much is refunded; null: everything. */
  refund: number | null
  seller_fee: number
  amend: (AmendedAmounts & { lines: readonly AmendLine[]; weight_only: boolean; weight_off: number; has_ticket: boolean }) | null
  handover_code: string | null
  clock_left_ms: number | null
  inspection_left_ms: number | null
  /** A released auction goes on for as long as it had left. */
  resumed_end: Date | null
  deferred_expires_at: Date | null
  strikes_to_block: number
  strike_memory: string
}

type NewAward = {
  id: string
  bidder_id: string
  bid_id: string
  price: number
  status: 'offered' | 'pending_payment'
  charges_vat: boolean
  vat_check_id: string | null
  vat_rate: number
  goods: number
  vat: number
  total: number
  reinstated: boolean
}

type Taker = Pick<TakenStep, 'actor' | 'actor_id'> & { details?: TakenStep['details'] }

export async function takenStep(life: Life, step: string, decision: Decision, taker: Taker, read: SettingReader): Promise<TakenStep> {
  const { row, facts } = life
  const { to, isMove, effects, tells } = decision
  const details = taker.details ?? {}
  const award = await newAward(life, effects, read)
  const has = (effect: Effect) => effects.includes(effect)
  const moves_clock = isMove || movesClock(effects)
  const total = award?.total ?? row.award?.total ?? 0
  const strikes = has('strike_buyer') || has('strike_seller')
  return {
    listing_id: row.id,
    seller_id: row.seller_id,
    step,
    from: row.status,
    to,
    is_move: isMove,
    at: facts.now,
    due_at: moves_clock ? await dueAfter({ to, effects, details }, life, read) : null,
    moves_clock,
    actor: taker.actor,
    actor_id: taker.actor_id,
    effects,
    tells,
    award_id: row.award?.id ?? award?.id ?? null,
    buyer_id: concerned(row, effects),
    offered_to: has('offer_at_reservation_price') || has('offer_to_next_bidder') ? (award?.bidder_id ?? null) : null,
    details,
    award,
    vat_if_charged: row.award ? percentOf(row.award.goods, row.award.vat_rate) : null,
    holding_fee: has('authorise_holding_fee') ? await holdingFeeOf(total, read) : null,
    payment: has('start_payment') ? await paymentOf(life, details, read) : null,
    refund: refundOf(life, effects, details),
    seller_fee: (has('pay_out') || has('resume_payout')) && row.award ? percentOf(row.award.goods, await read('seller_fee')) : 0,
    amend: has('request_amend') ? amendOf(life, details) : null,
    handover_code: has('handover_code') ? String(randomInt(1_000_000)).padStart(6, '0') : null,
    clock_left_ms: has('stop_clocks') ? leftOf(row.status === 'Active' ? row.expires_at : row.due_at, facts.now) : null,
    inspection_left_ms: has('stop_inspection_clock') ? leftOf(row.due_at, facts.now) : null,
    resumed_end: has('resume_clocks') && to === 'Active' && row.clock_left_ms !== null ? later(facts.now, row.clock_left_ms) : null,
    deferred_expires_at: has('start_deferred_payment') ? deferredEnd(facts.now, row) : null,
    strikes_to_block: strikes ? await read('strikes_to_block') : 0,
    strike_memory: strikes ? await read('strike_memory') : '0d',
  }
}

const leftOf = (end: Date | null, now: Date): number | null => (end ? end.getTime() - now.getTime() : null)
const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

function concerned({ leader_id, buyer_id, missed_buyer_id }: Life['row'], effects: readonly Effect[]): string | null {
  if (effects.includes('freeze_winner')) return leader_id
  return effects.includes('reinstate_bid') ? missed_buyer_id : buyer_id
}

/** Price, VAT status and VAT rate are frozen with the award, from the row that is locked: what the buyer owes does not change with them. */
async function newAward({ row, nextBidder }: Life, effects: readonly Effect[], read: SettingReader): Promise<NewAward | null> {
  const has = (effect: Effect) => effects.includes(effect)
  if (has('reinstate_bid')) {
    if (!row.missed_award || row.missed_buyer_id === null) throw new Error('there is nobody to reinstate')
    const { bid_id, price, charges_vat, vat_check_id, vat_rate, goods, vat, total } = row.missed_award
    const frozen = { bid_id, price, charges_vat, vat_check_id, vat_rate, goods, vat, total }
    return { ...frozen, id: randomUUID(), bidder_id: row.missed_buyer_id, status: 'pending_payment', reinstated: true }
  }
  const isOffer = has('offer_at_reservation_price')
  const leads = isOffer || has('freeze_winner')
  const winner = leads
    ? { bidder_id: row.leader_id, bid_id: row.leading_bid_id, price: row.current_price }
    : has('offer_to_next_bidder')
      ? { bidder_id: nextBidder?.bidder_id, bid_id: nextBidder?.bid_id, price: nextBidder?.max_amount }
      : undefined
  if (!winner) return null
  const { bidder_id, bid_id, price } = winner
  if (!bidder_id || !bid_id || !price) throw new Error('there is no bidder to award the listing to')
  const vat_rate = await read('vat_rate')
  const charges_vat = row.seller_charges_vat_now
  const amounts = owed(price, { basis: row.price_basis, weight_kg: row.weight_kg, vatRate: vat_rate, isVatRegistered: charges_vat })
  const status = has('freeze_winner') ? 'pending_payment' : 'offered'
  return { id: randomUUID(), bidder_id, bid_id, price, status, charges_vat, vat_check_id: null, vat_rate, ...amounts, reinstated: false }
}

const holdingFeeOf = async (total: number, read: SettingReader): Promise<number> =>
  holdingFee(total, {
    rate: await read('holding_fee_rate'),
    least: await read('holding_fee_min'),
    most: await read('holding_fee_max'),
  })

async function paymentOf({ facts }: Life, details: TakenStep['details'], read: SettingReader): Promise<TakenStep['payment']> {
  const byDefault = facts.due <= (await read('card_payment_limit')) ? 'card' : 'bank_transfer'
  const method = details['method'] === 'card' || details['method'] === 'bank_transfer' ? details['method'] : byDefault
  return { purpose: facts.balance_of === 'amend' ? 'balance_due' : 'goods', method, amount: facts.due }
}

function refundOf({ row, facts }: Life, effects: readonly Effect[], details: TakenStep['details']): number | null {
  if (effects.includes('refund_amount')) return Number(details['amount'] ?? 0)
  if (effects.includes('refund_difference')) return Math.max(0, facts.paid - (row.award?.total ?? 0))
  return null
}

function amendOf({ row }: Life, details: TakenStep['details']): TakenStep['amend'] {
  const lines = details['lines'] as readonly AmendLine[]
  const amended = amendedOf(row, lines)
  if ('error' in amended) throw new Error('an amend is checked before it is taken')
  const weight = lines.find(({ type }) => type === 'weight')
  const weight_off = weight ? Math.abs(1 - Number(weight.found) / Number(weight.listed)) * 100 : 0
  return {
    ...amended,
    lines,
    weight_only: lines.every(({ type }) => type === 'weight'),
    weight_off,
    has_ticket: details['weighbridge_ticket'] !== undefined,
  }
}

/** What an amend with these lines makes of the award. */
export function amendedOf({ award, weight_kg, grade }: Life['row'], lines: readonly AmendLine[]) {
  if (!award) throw new Error('an amend needs a sale')
  const { goods, vat_rate, charges_vat } = award
  return amendedAmounts({ goods, vat_rate, charges_vat, weight_kg, grade, lines })
}
