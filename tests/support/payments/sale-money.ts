import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import type { Answer } from '#tests/support/client.ts'
import { ended, newMember, openSaleYard, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall, closeBalanced, GOOD_CARD, userRow } from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import type { Yard } from '#tests/support/yard.ts'

// A yard in which sales are paid: the seller has an account at the provider, buyers have cards there.

export const PRICE = 1_000_00
/** With VAT, as the sellers of the yard charge it. */
export const TOTAL = 1_200_00
export const FEE = 25_00

const windows = {
  payment_window: '72h',
  balance_window: '72h',
  reinstate_window: '24h',
  inspection_window: '72h',
  documents_window: '120h',
}

export async function openSaleMoney(settings: Record<string, unknown> = {}): Promise<{ yard: Yard; seller: Merchant }> {
  const yard = await openSaleYard({ ...windows, ...settings })
  afterEach(() => yard.travel('0 seconds'))
  after(() => closeBalanced(yard))
  await fillBalance(yard)
  return { yard, seller: await newSeller(yard) }
}

/** The platform has money of its own: refunds and further transfers do not wait for that of the sales. */
export const fillBalance = (yard: Yard) =>
  yard.payment.stripe.paymentIntents.create({
    amount: 90_000_00,
    currency: 'gbp',
    payment_method: 'pm_card_bypassPending',
    allowed_payment_method_types: ['card'],
    confirm: true,
    metadata: { purpose: 'subscription' },
  })

/** A seller whose account at the provider can be paid into, unless it is not completed. */
export async function newSeller(yard: Yard, { isComplete = true } = {}): Promise<Merchant> {
  const { id: account } = await yard.payment.stripe.accounts.create({
    type: 'express',
    country: 'GB',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  const seller = await newMember(yard, { payment_account_id: account })
  if (isComplete) await bankCall(yard, 'POST', `/sandbox/accounts/${account}/complete`)
  await yard.bankSettled()
  return seller
}

/** A buyer who has saved a card for holding fees. */
export async function newBuyer(yard: Yard, card = GOOD_CARD): Promise<Merchant> {
  const buyer = await newMember(yard)
  await saveCard(yard, buyer, card)
  return buyer
}

export async function saveCard(yard: Yard, { client }: Merchant, card: string): Promise<void> {
  const { body } = await client.post('/api/v1/stripe/create-holding-fee-setup-intent')
  await confirmed(yard, body.data.client_secret, card)
  await client.get('/api/v1/stripe/holding-fee-payment-method')
}

/** Confirms an intent in the browser, and passes 3-D Secure where the card asks for it. */
export async function confirmed(yard: Yard, clientSecret: string, card = GOOD_CARD): Promise<any> {
  const { intent, error } = await payWithCard(yard.bank, clientSecret, card)
  if (intent?.status === 'requires_action') await bankCall(yard, 'POST', `/sandbox/authenticate/${intent.id}`, { outcome: 'pass' })
  await yard.bankSettled()
  return intent ?? { error }
}

/** A listing that the buyer has won, in PendingPayment, with everything done that follows from it. */
export async function sold(
  yard: Yard,
  seller: Merchant,
  buyer: Merchant,
  changes: Record<string, unknown> = {},
  price = PRICE,
): Promise<string> {
  const id = await ended(yard, seller, [[buyer, price]], changes)
  await yard.bankSettled()
  return id
}

export const pay = ({ client }: Merchant, id: string, method?: string, headers?: Record<string, string>): Promise<Answer> =>
  client.post(`/api/v1/listings/${id}/pay`, method ? { method } : {}, headers)

/** The answer of a call that must succeed. */
export async function paid(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** A bank transfer arrives. */
export async function transferIn(yard: Yard, { id }: Merchant, amount: number, reference?: string): Promise<void> {
  const { provider_customer_id } = await userRow(yard, id)
  await yard.payment.stripe.testHelpers.customers.fundCashBalance(provider_customer_id, {
    amount,
    currency: 'gbp',
    ...(reference && { reference }),
  })
  await yard.bankSettled()
}

export const statusOf = async (yard: Yard, id: string): Promise<string> =>
  (await yard.owner.query('select status from listings where id = $1', [id])).rows[0].status

/** Rows of a table of money that belong to a listing, oldest first. */
export const moneyOf = async (yard: Yard, table: string, listingId: string): Promise<any[]> =>
  (
    await yard.owner.query(
      `select t.* from ${table} t join awards a on a.id = t.award_id where a.listing_id = $1 order by t.created_at, t.id`,
      [listingId],
    )
  ).rows

/** What a listing's ledger accounts hold, without those that hold nothing. */
export async function ledgerOf(yard: Yard, listingId: string): Promise<Record<string, number>> {
  const { rows } = await yard.owner.query<{ account: string; amount: number }>(
    `select account, sum(amount)::int as amount
     from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.listing_id = $1 and account not in ('provider_clearing', 'provider_fees')
     group by account having sum(amount) <> 0 order by account`,
    [listingId],
  )
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}

/** What the ledger says that the provider holds in a buyer's cash balance; the provider says the same. */
export async function cashOf(yard: Yard, { id }: Merchant): Promise<number> {
  const { rows } = await yard.owner.query<{ cash: number }>(
    `select coalesce(sum(amount), 0)::int as cash from ledger_entries where account = 'provider_cash' and user_id = $1`,
    [id],
  )
  const { provider_customer_id } = await userRow(yard, id)
  const { available } = await yard.payment.stripe.customers.retrieveCashBalance(provider_customer_id)
  assert.equal(rows[0]?.cash, available?.['gbp'] ?? 0)
  return rows[0]?.cash ?? 0
}

export const refundsOf = async (yard: Yard, { id }: Merchant): Promise<any[]> =>
  (await yard.owner.query('select * from refunds where user_id = $1 order by created_at, id', [id])).rows
