import type { Listing } from '#contract/listings.ts'
import { gbp } from '#domain/format.ts'
import type { ReadRows } from '#server/db/db.ts'

// What the page of a deal shows beside the facts: its payments, amends, refunds and payouts, and how to reach the other side.

export type SaleDetails = {
  payment: PaymentRow | null
  holding_fee: { amount: number; status: FeeStatus; ending: 'release' | 'capture' | null; last_error: LastError } | null
  amends: AmendRow[]
  refunds: { id: string; amount: number; reason: string; status: string }[]
  payouts: { id: string; amount: number; purpose: Listing['payouts'][number]['purpose']; status: string; reversed: number }[]
  buyer: Contact
  seller: Contact
}

type FeeStatus = NonNullable<Listing['holding_fee']>['status']
type LastError = { message?: string } | null
type Contact = { id: string; company_name: string; contact_name: string; contact_number: string | null; email: string }
type PaymentRow = Omit<NonNullable<Listing['payment']>, 'amount' | 'received' | 'last_error' | 'status'> & {
  status: 'wanted' | 'open' | 'processing'
  amount: number
  received: number
  last_error: LastError
}
type AmendRow = Pick<Listing['amends'][number], 'id' | 'status' | 'lines'> & {
  goods: number
  vat: number
  total: number
  difference: number
  created_at: string
}

const contact = (user: string) => `jsonb_build_object('id', ${user}.id, 'company_name', ${user}.company_name,
  'contact_name', ${user}.first_name || ' ' || ${user}.surname, 'contact_number', ${user}.contact_number, 'email', ${user}.email)`

/** By award. */
export async function readSaleDetails(rows: ReadRows, awardIds: readonly string[]): Promise<Map<string, SaleDetails>> {
  if (awardIds.length === 0) return new Map()
  const found = await rows<SaleDetails & { award_id: string }>(
    `select a.id as award_id, ${contact('buyer')} as buyer, ${contact('seller')} as seller,
            (select to_jsonb(p) from sale_payments p where p.award_id = a.id and p.status in ('wanted', 'open', 'processing') limit 1) as payment,
            (select to_jsonb(f) from holding_fees f where f.award_id = a.id order by f.created_at desc limit 1) as holding_fee,
            coalesce((select jsonb_agg(to_jsonb(m) order by m.nth) from amends m where m.award_id = a.id), '[]') as amends,
            coalesce((select jsonb_agg(to_jsonb(r) order by r.created_at) from refunds r where r.award_id = a.id), '[]') as refunds,
            coalesce((select jsonb_agg(to_jsonb(o) order by o.created_at) from seller_payouts o where o.award_id = a.id), '[]') as payouts
     from awards a
     join listings l on l.id = a.listing_id
     join users buyer on buyer.id = a.bidder_id
     join users seller on seller.id = l.seller_id
     where a.id = any($1::uuid[])`,
    [awardIds],
  )
  return new Map(found.map((row) => [row.award_id, row]))
}

export function presentPayment(payment: PaymentRow | null): Listing['payment'] {
  // the provider was not asked yet: there is nothing to pay with
  if (!payment || payment.status === 'wanted' || !payment.client_secret) return null
  const { id, method, status, amount, received, client_secret, bank_details, last_error } = payment
  return {
    id,
    method,
    status,
    amount: gbp(amount),
    received: gbp(received),
    client_secret,
    bank_details,
    last_error: last_error?.message ?? null,
  }
}

/** As it was decided, though the provider may not have been told yet. */
export function presentFee(fee: SaleDetails['holding_fee']): Listing['holding_fee'] {
  if (!fee) return null
  const status = fee.ending === 'release' ? 'released' : fee.status
  return { amount: gbp(fee.amount), status, last_error: fee.last_error?.message ?? null }
}

export const presentAmend = ({ id, status, lines, goods, vat, total, difference, created_at }: AmendRow): Listing['amends'][number] => ({
  id,
  status,
  lines,
  goods: gbp(goods),
  vat: gbp(vat),
  total: gbp(total),
  difference: gbp(difference),
  requested_at: new Date(created_at).toISOString(),
})

const refundStates: Record<string, Listing['refunds'][number]['status']> = {
  wanted: 'on_its_way',
  pending: 'on_its_way',
  waiting: 'waiting_for_bank_details',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
}

/** A waived difference was never a refund. */
export const presentRefunds = (refunds: SaleDetails['refunds']): Listing['refunds'] =>
  refunds.flatMap(({ id, amount, reason, status }) => {
    const shown = refundStates[status]
    return shown ? [{ id, amount: gbp(amount), reason, status: shown }] : []
  })

const payoutStates: Record<string, Listing['payouts'][number]['status']> = {
  wanted: 'on_its_way',
  waiting: 'waiting_for_account',
  done: 'done',
  stopped: 'stopped',
}

export const presentPayout = ({ id, amount, purpose, status, reversed }: SaleDetails['payouts'][number]): Listing['payouts'][number] => ({
  id,
  amount: gbp(amount - reversed || amount),
  purpose,
  status: status === 'done' && reversed === amount ? 'taken_back' : (payoutStates[status] ?? 'on_its_way'),
})
