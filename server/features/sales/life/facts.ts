import type pg from 'pg'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { permissionsOf } from '#contract/values/permissions.ts'
import { materials } from '#contract/values/materials.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { isReservationMet } from '#domain/bids/bidding.ts'
import { isHazardous } from '#domain/papers/waste-note.ts'
import type { ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { addDuration } from '#domain/working-days.ts'
import { rowsOn, type ReadRows } from '#server/db/db.ts'
import { dueTimes, timeOf } from '#server/features/sales/life/clocks.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { keepParties, readLifeRows, type LifeRow } from '#server/features/sales/life/life-rows.ts'
import { readNextBidders, type NextBidder } from '#server/features/sales/life/next-bidders.ts'
import type { SessionUser } from '#server/http/session.ts'

/** A listing's row with the facts that the machine decides by. */
export type Life = { row: LifeRow; facts: ListingFacts; nextBidder: NextBidder | null }

/** Locks the listing, then whom a step may bind, then reads the clock and everything else. */
export async function lockLife(client: pg.ClientBase, id: string, read: SettingReader): Promise<Life | undefined> {
  await client.query('select from listings where id = $1 for update', [id])
  const rows = rowsOn(client)
  await keepParties(rows, [id])
  const [life] = await readLives(rows, [id], read)
  return life
}

/** The one reader of facts: for rows that are locked, and for those that are only shown. */
export async function readLives(rows: ReadRows, ids: readonly string[], read: SettingReader): Promise<Life[]> {
  if (ids.length === 0) return []
  const lifeRows = await readLifeRows(rows, ids)
  const nextBidders = await readNextBidders(
    rows,
    lifeRows.filter(({ status }) => looksForNextBidder.includes(status)),
  )
  const lives: Life[] = []
  for (const row of lifeRows) {
    const next = nextBidders.get(row.id)
    const facts = { ...factsOf(row), ...(await settingsOf(row, read)), next_bidder: nextBidderOf(row, next?.max_amount) }
    lives.push({ row, facts: { ...facts, due_at: await dueTimes(row, facts, read) }, nextBidder: next ?? null })
  }
  return lives
}

export const factsAtSubmit = (seller: SessionUser): ListingFacts => ({
  ...defaultFacts,
  now: new Date(NaN),
  may_create: permissionsOf(seller.tier).auction_create.enabled,
  email_confirmed: seller.email_verified_at !== null,
  account_completed: seller.payment_account_completed && seller.onboarding_stage === null,
})

const looksForNextBidder: readonly ListingStatus[] = ['AwaitingKYC', 'NextBidder', 'MissedPayment']

const factsOf = (row: LifeRow): ListingFacts => ({
  ...defaultFacts,
  now: row.now,
  may_create: permissionsOf(row.seller_tier).auction_create.enabled,
  email_confirmed: row.seller_email_confirmed,
  account_completed: row.seller_account_completed,
  media: row.media ?? 'fine',
  bid_count: row.bid_count,
  reservation_price: row.reservation_price,
  reservation_met: isReservationMet({
    reservationPrice: row.reservation_price,
    standing: row.current_price === null ? null : { price: row.current_price, leader: '', leaderMax: row.current_price },
  }),
  can_offer_at_reservation_price: row.can_offer_at_reservation_price && !row.is_leader_deleted,
  leader_suspended: row.is_leader_suspended,
  relisted: row.is_relisted,
  is_hazardous: isHazardous(row),
  buyer_verified: row.buyer_verified,
  seller_verified: row.seller_verified,
  vat: row.seller_vat,
  seller_invoices: row.seller_invoices,
  reservation_waived: row.reservation_waived,
  // the first award is the winner's
  offers_made: Math.max(0, row.awards_made - 1),
  has_missed_buyer: row.missed_reinstated !== null,
  reinstated: row.missed_reinstated ?? row.is_reinstated,
  accepts_deferred_payment: row.accepts_deferred_payment,
  ...moneyFacts(row),
  ...termFacts(row),
  transfer_method_id: row.transfer_method_id,
  ...exchangeFacts(row),
  former_status: row.former_status,
})

// RULES §4: how long a deadline waits for a payment that is on its way
const LONGEST_WAIT = '5bd'

function moneyFacts({ award, money, due_at, now, dispute, dispute_open }: LifeRow): Partial<ListingFacts> {
  if (!award || !money) return { dispute, dispute_open }
  // what was refunded can be charged back as well: that is no debt of the buyer's
  const paid = Math.max(0, money.received - money.refunded - money.charged_back)
  return {
    cancel_agreed_by: award.cancel_agreed_by,
    paid,
    due: Math.max(0, award.total - paid),
    payment_under_way: (money.is_open || money.is_processing) && (due_at === null || now < addDuration(due_at, LONGEST_WAIT)),
    balance_of: award.paid_at === null ? 'first_payment' : 'amend',
    dispute,
    dispute_open,
  }
}

function termFacts({ award, accepts_deferred_payment, deferred_days, deferred_limit_left }: LifeRow): Partial<ListingFacts> {
  return {
    accepts_deferred_payment,
    deferred: award !== null && award.deferred_days !== null,
    deferred_granted: deferred_days !== null && deferred_limit_left !== null,
    deferred_limit_free: award !== null && deferred_limit_left !== null && award.total <= deferred_limit_left,
    overdue: award !== null && award.overdue_at !== null,
  }
}

function exchangeFacts({ exchange, amend, amends_requested, amend_rejected, buyer_licensed, material_id }: LifeRow): Partial<ListingFacts> {
  return {
    buyer_licensed: buyer_licensed || !materials[material_id].is_scrap,
    slot: timeOf(exchange?.slot),
    eta: timeOf(exchange?.eta),
    reschedules: exchange?.reschedules ?? 0,
    returns_started: exchange?.returns_started ?? 0,
    amends_requested,
    amend_rejected,
    ...(amend && {
      amend_weight_only: amend.weight_only,
      amend_weight_off: amend.weight_off,
      amend_has_ticket: amend.has_ticket,
      amend_difference: amend.difference,
    }),
  }
}

/** Read where a guard looks at them, not for every row of a page. */
async function settingsOf({ status, bid_count, expires_at }: LifeRow, read: SettingReader): Promise<Partial<ListingFacts>> {
  if (looksForNextBidder.includes(status)) return { offer_depth: await read('offer_depth') }
  if (status === 'ReviewAmend') return { amend_tolerance: await read('amend_tolerance') }
  if (status !== 'Active' || bid_count === 0 || expires_at === null) return {}
  const spanMs = addDuration(new Date(0), await read('withdraw_before')).getTime()
  return { withdraw_until: new Date(expires_at.getTime() - spanMs) }
}

function nextBidderOf({ reservation_price }: LifeRow, amount: number | undefined): ListingFacts['next_bidder'] {
  if (amount === undefined) return 'none'
  return amount >= (reservation_price ?? 0) ? 'meets_reservation' : 'below_reservation'
}

/** Default facts: `factsOf` overrides those that it knows. */
const defaultFacts: Omit<ListingFacts, 'now'> = {
  due_at: {},
  may_create: false,
  email_confirmed: false,
  account_completed: false,
  form_complete: true,
  media: 'fine',
  bid_count: 0,
  reservation_price: null,
  reservation_met: false,
  withdraw_until: null,
  can_offer_at_reservation_price: false,
  leader_suspended: false,
  relisted: false,
  buyer_verified: false,
  seller_verified: false,
  vat: 'unchecked',
  seller_invoices: false,
  next_bidder: 'none',
  reservation_waived: false,
  offers_made: 0,
  offer_depth: 0,
  has_missed_buyer: false,
  reinstated: false,
  cancel_agreed_by: null,
  paid: 0,
  due: 0,
  payment_under_way: false,
  balance_of: 'first_payment',
  deferred: false,
  deferred_granted: false,
  deferred_limit_free: false,
  accepts_deferred_payment: false,
  is_hazardous: false,
  overdue: false,
  dispute: null,
  dispute_open: false,
  transfer_method_id: transferMethods.Collection,
  buyer_licensed: true,
  slot: null,
  eta: null,
  reschedules: 0,
  amends_requested: 0,
  amend_rejected: false,
  amend_weight_only: false,
  amend_weight_off: 0,
  amend_tolerance: 0,
  amend_has_ticket: false,
  amend_difference: 0,
  returns_started: 0,
  former_status: null,
  resolution: 'expire',
}
