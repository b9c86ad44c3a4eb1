import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { SalePayments } from '#database/schema.gen.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { callKind, ensureCustomer, idOf, jsonOf, reserveCall } from '#server/features/payments/public.ts'
import { callByKey, isNewer, isReplayed, rowOf, saleOf, type PayingDeps } from '#server/features/paying/sale.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'

// A payment of a sale: one intent at the provider per row of `sale_payments`. The step `pay` writes the row; the intent is made from it.

export type PaymentRow = Selectable<SalePayments>
type Subject = { payment_id: string }

export const paymentCalls = {
  create_payment: callKind<Stripe.PaymentIntentCreateParams, Stripe.PaymentIntent>({
    async send(stripe, params, options) {
      const intent = await stripe.paymentIntents.create({ ...params, expand: ['latest_charge'] }, options)
      return isReplayed(intent) ? stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] }) : intent
    },
    settle: async (tx, _call, intent, readNo) => void (await writePayment(tx, intent, readNo)),
    async giveBack(tx, { subject }) {
      await tx
        .updateTable('sale_payments')
        .set({ status: 'cancelled', settled_at: sql`app_now()` })
        .where('id', '=', (subject as Subject).payment_id)
        .where('status', '=', 'wanted')
        .execute()
    },
    find: (stripe, { params, subject }) => findIntent(stripe, params as Customer, 'payment_id', (subject as Subject).payment_id),
  }),

  cancel_payment: callKind<{ id: string }, Stripe.PaymentIntent>({
    send: (stripe, { id }, options) => stripe.paymentIntents.cancel(id, { expand: ['latest_charge'] }, options),
    settle: async (tx, _call, intent, readNo) => void (await writePayment(tx, intent, readNo)),
    find: (stripe, { params }) => stripe.paymentIntents.retrieve((params as { id: string }).id, { expand: ['latest_charge'] }),
  }),
}

type Customer = { customer: string }

/** Among the customer's intents, the one that was made for a row of ours. */
export async function findIntent(
  stripe: Stripe,
  { customer }: Customer,
  name: string,
  id: string,
): Promise<Stripe.PaymentIntent | undefined> {
  for await (const intent of stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] }))
    if (intent.metadata[name] === id) return intent
  return undefined
}

/** Makes the intent of a row that has none yet, or sees the call through that somebody began. */
export async function ensureIntent(deps: PayingDeps, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.intent_id || !isOpen(payment)) return payment
  const { db, provider } = deps
  const sale = await saleOf(db, payment.award_id)
  const customer = await ensureCustomer(deps, sale.buyer_id)
  const callId = await db.transaction().execute(async (tx) => {
    const row = await lockPayment(tx, payment.id)
    const key = `payment:${payment.id}`
    const begun = await callByKey(tx, key)
    if (begun || row?.status !== 'wanted') return begun?.id
    const metadata = {
      purpose: row.purpose,
      user_id: sale.buyer_id,
      listing_id: sale.listing_id,
      award_id: sale.award_id,
      payment_id: row.id,
    }
    const params = {
      customer,
      amount: row.amount,
      currency: 'gbp',
      transfer_group: groupOf(row.award_id),
      metadata,
      ...methods[methodOf(row)],
    }
    return reserveCall(tx, { kind: 'create_payment', key, userId: null, subject: { payment_id: row.id } satisfies Subject, params })
  })
  if (callId) await provider.finish(callId)
  const made = await findPayment(db, payment.id)
  if (!made) throw providerIsAway()
  return made
}

/** What the charges and transfers of one sale have in common at the provider. */
export const groupOf = (awardId: string) => `award_${awardId}`

type Method = 'card' | 'bank_transfer'
const methodOf = ({ method }: PaymentRow) => (method === 'card' ? 'card' : 'bank_transfer') satisfies Method

const methods: Record<Method, Partial<Stripe.PaymentIntentCreateParams>> = {
  card: { allowed_payment_method_types: ['card'] },
  bank_transfer: {
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'gb_bank_transfer' } } },
    confirm: true,
  },
}

export const isOpen = ({ status }: Pick<PaymentRow, 'status'>) => ['wanted', 'open', 'processing'].includes(status)

export const findPayment = (db: DbOrTx, id: string): Promise<PaymentRow | undefined> =>
  db.selectFrom('sale_payments').selectAll().where('id', '=', id).executeTakeFirst()

export const lockPayment = (tx: Tx, id: string): Promise<PaymentRow | undefined> =>
  tx.selectFrom('sale_payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The row as the intent is now. What is settled stays. Answers whether the buyer sees a change. */
export async function writePayment(tx: Tx, intent: Stripe.PaymentIntent, readNo: string): Promise<boolean> {
  const id = rowOf(intent.metadata, 'payment_id')
  const row = id === undefined ? undefined : await lockPayment(tx, id)
  if (!row || !isNewer(row, readNo) || !isOpen(row)) return false
  const status = statuses[intent.status] ?? 'open'
  const received = receivedOf(intent, row)
  const error = errorOfIntent(intent)
  await tx
    .updateTable('sale_payments')
    .set({
      status,
      received,
      intent_id: intent.id,
      ...(status === 'succeeded' && { charge_id: idOf(intent.latest_charge) }),
      client_secret: intent.client_secret,
      ...(intent.next_action?.display_bank_transfer_instructions && { bank_details: JSON.stringify(bankDetailsOf(intent)) }),
      last_error: jsonOf(error),
      read_no: readNo,
      ...(['succeeded', 'cancelled'].includes(status) && { settled_at: sql`app_now()` }),
    })
    .where('id', '=', row.id)
    .execute()
  return status !== row.status || received !== row.received || error?.message !== (row.last_error as typeof error)?.message
}

const statuses: Readonly<Record<string, 'succeeded' | 'cancelled' | 'processing'>> = {
  succeeded: 'succeeded',
  canceled: 'cancelled',
  processing: 'processing',
}

/** A bank transfer that came in part is applied to the intent, and the provider says what is still to come. */
function receivedOf({ status, next_action }: Stripe.PaymentIntent, { amount }: PaymentRow): number {
  if (status === 'succeeded') return amount
  const remaining = next_action?.display_bank_transfer_instructions?.amount_remaining
  return remaining == null || status === 'canceled' ? 0 : amount - remaining
}

function bankDetailsOf({ next_action }: Stripe.PaymentIntent) {
  const instructions = next_action?.display_bank_transfer_instructions
  const address = instructions?.financial_addresses?.find(({ sort_code }) => sort_code)?.sort_code
  return {
    sort_code: address?.sort_code ?? '',
    account_number: address?.account_number ?? '',
    account_holder_name: address?.account_holder_name ?? '',
    reference: instructions?.reference ?? '',
    hosted_url: instructions?.hosted_instructions_url ?? null,
  }
}

/** Why the last try was declined, as it may be shown to the buyer. */
export function errorOfIntent({ last_payment_error }: Stripe.PaymentIntent) {
  if (!last_payment_error) return null
  const { code, decline_code, message } = last_payment_error
  return { code: code ?? null, decline_code: decline_code ?? null, message: message ?? 'The payment was declined.' }
}

/** An intent of ours as it is now. */
export const lookAtIntent = ({ provider }: Pick<PayingDeps, 'provider'>, id: string) =>
  look(provider.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
