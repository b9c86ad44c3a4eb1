import type pg from 'pg'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { permissionsOf } from '#contract/values/permissions.ts'
import type { SettingKey } from '#contract/settings.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { isReservationMet } from '#domain/bids/bidding.ts'
import { clocksOf } from '#domain/sales/listing-machine.ts'
import { isLive } from '#domain/sales/listing-machine-live.ts'
import type { ListingFacts, Moment } from '#domain/sales/listing-machine-step.ts'
import { addDuration } from '#domain/working-days.ts'
import { rowsOn, type ReadRows } from '#server/db/db.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { keepParties, readLifeRows, readNextBidders, type LifeRow } from '#server/features/sales/life-rows.ts'
import type { SessionUser } from '#server/http/session.ts'

/** A listing's row with the facts that the machine decides by. */
export type Life = { row: LifeRow; facts: ListingFacts; nextBidderId: string | null }

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
    lives.push({ row, facts: { ...facts, due_at: await dueTimes(row, facts, read) }, nextBidderId: next?.bidder_id ?? null })
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

/** When time next does something to a listing that enters this status now. The end of an Active one is its own column. */
export async function dueAfter(to: ListingStatus, { row, facts }: Life, read: SettingReader): Promise<Date | null> {
  if (to === 'Active') return null
  const moments = momentsOf({ ...row, entered_at: facts.now })
  const clocks = liveClocks(to, facts).filter(({ isWithin }) => !isWithin)
  const due = await Promise.all(clocks.map(({ clock }) => runsOut(clock, moments, read)))
  const times = due.flatMap((time) => time?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

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
  relisted: row.is_relisted,
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
  transfer_method_id: row.transfer_method_id,
  former_status: row.former_status,
})

/** Read where a guard looks at them, not for every row of a page. */
async function settingsOf({ status, bid_count, expires_at }: LifeRow, read: SettingReader): Promise<Partial<ListingFacts>> {
  if (looksForNextBidder.includes(status)) return { offer_depth: await read('offer_depth') }
  if (status !== 'Active' || bid_count === 0 || expires_at === null) return {}
  const spanMs = addDuration(new Date(0), await read('withdraw_before')).getTime()
  return { withdraw_until: new Date(expires_at.getTime() - spanMs) }
}

function nextBidderOf({ reservation_price }: LifeRow, amount: number | undefined): ListingFacts['next_bidder'] {
  if (amount === undefined) return 'none'
  return amount >= (reservation_price ?? 0) ? 'meets_reservation' : 'below_reservation'
}

/** When each clock of the status runs out: as stored when the status was entered, or, for a window in which people may act, by the setting of now. */
async function dueTimes(row: LifeRow, facts: ListingFacts, read: SettingReader): Promise<Record<string, Date>> {
  const due: Record<string, Date> = {}
  for (const { step, clock, isWithin } of liveClocks(row.status, facts)) {
    const isSet = row.due_at !== null && !isWithin && row.status !== 'Active'
    const at = isSet ? row.due_at : await runsOut(clock, momentsOf(row), read)
    if (at) due[step] = at
  }
  return due
}

const liveClocks = (status: ListingStatus, facts: ListingFacts) =>
  clocksOf(status, facts).filter(({ step, clock }) => isLive(step) && (clock.since !== 'ended' || facts.can_offer_at_reservation_price))

type Moments = Partial<Record<Moment, Date | null>>

/** The moments that clocks count from. An offer begins when its status was entered; bidding ended at `expires_at`. */
const momentsOf = ({ entered_at, expires_at }: Pick<LifeRow, 'entered_at' | 'expires_at'>): Moments => ({
  entered: entered_at,
  offered: entered_at,
  ended: expires_at,
  expires_at,
})

async function runsOut(
  { setting, since }: { setting: SettingKey | null; since: Moment },
  moments: Moments,
  read: SettingReader,
): Promise<Date | undefined> {
  const moment = moments[since]
  if (!moment) return undefined
  if (setting === null) return moment
  const duration = await read(setting)
  if (typeof duration !== 'string') throw new Error(`${setting} is no duration`)
  return addDuration(moment, duration)
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
  ever_paid: false,
  balance_of: 'first_payment',
  deferred: false,
  deferred_granted: false,
  deferred_limit_free: false,
  accepts_deferred_payment: false,
  overdue: false,
  transfer_method_id: transferMethods.Collection,
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
