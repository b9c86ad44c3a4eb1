import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { ProviderEvents } from '#database/schema.gen.ts'
import {
  applyCharge,
  applyDispute,
  applyPayout,
  applyTransfer,
  idOf,
  invoiceOf,
  readCharge,
  syncAccount,
  syncCards,
  type PaymentDeps,
} from '#server/features/payments/public.ts'
import {
  sendWaitingPayouts,
  syncCashOfEvent,
  syncDispute,
  syncIntent,
  syncRefund,
  syncTransfer,
  type PayingDeps,
} from '#server/features/paying/public.ts'
import { applyInvoice, syncSubscription } from '#server/features/subscription/public.ts'
import { look } from '#server/providers/payment.ts'

export type EventDeps = PaymentDeps & PayingDeps
export type ProviderEvent = Selectable<ProviderEvents>

type Apply = (deps: EventDeps, objectId: string) => Promise<unknown>

/** The first prefix that fits says what is looked at anew. So it does not matter which of several events came first, or twice. */
const appliers: readonly (readonly [prefix: string, apply: Apply])[] = [
  ['customer.subscription.', syncSubscription],
  ['customer.', (deps, id) => syncCards(deps, id)],
  ['setup_intent.', syncSetupIntent],
  ['payment_method.', syncCardHolder],
  ['invoice.', syncInvoice],
  // what it asks for is written already, and nothing has happened to it yet
  ['payment_intent.created', async () => undefined],
  ['payment_intent.', syncIntent],
  ['charge.dispute.', lookAtDispute],
  ['charge.refund.', lookAtRefund],
  // the event of its intent comes with it
  ['charge.', applyAnyCharge],
  ['refund.', lookAtRefund],
  ['payout.', applyPayout],
  ['transfer.', lookAtTransfer],
]

/** Told without the id of an object that could be looked at: the event says whose they are. */
const cashEvents = /^(?:cash_balance|customer_cash_balance_transaction)\./

/** Applies an event that is stored; a second time changes nothing. */
export async function applyEvent(deps: EventDeps, eventId: string): Promise<void> {
  const { db } = deps
  const event = await db
    .selectFrom('provider_events')
    .selectAll()
    .where('id', '=', eventId)
    .where('applied_at', 'is', null)
    .executeTakeFirst()
  if (!event) return
  await apply(deps, event)
  await db
    .updateTable('provider_events')
    .set({ applied_at: sql`app_now()` })
    .where('id', '=', eventId)
    .where('applied_at', 'is', null)
    .execute()
}

async function apply(deps: EventDeps, { id, type, account, object_id }: ProviderEvent): Promise<void> {
  // what happens on a user's own account is the user's; we want to know whether it can be paid into
  if (account !== null || type.startsWith('account.')) {
    const accountId = account ?? object_id
    if (/^(?:account|capability|person)\./.test(type) && accountId) {
      await syncAccount(deps, accountId)
      await sendWaitingPayouts(deps, accountId)
    }
    return
  }
  if (cashEvents.test(type)) return syncCashOfEvent(deps, id)
  const applier = appliers.find(([prefix]) => type.startsWith(prefix))?.[1]
  if (applier && object_id) await applier(deps, object_id)
}

async function syncSetupIntent(deps: EventDeps, id: string) {
  const intent = await look(deps.provider.stripe.setupIntents.retrieve(id))
  const customer = idOf(intent?.customer)
  if (customer) await syncCards(deps, customer)
}

/** One that was taken off its customer no longer says whose it was. */
async function syncCardHolder(deps: EventDeps, id: string) {
  const method = await look(deps.provider.stripe.paymentMethods.retrieve(id))
  const holders = await deps.db
    .selectFrom('users')
    .select('provider_customer_id')
    .where((where) => where.or([where('holding_fee_card', '=', id), where(sql<string>`subscription_card ->> 'id'`, '=', id)]))
    .execute()
  const customers = new Set([idOf(method?.customer), ...holders.map((holder) => holder.provider_customer_id)])
  for (const customer of customers) if (customer) await syncCards(deps, customer)
}

async function syncInvoice(deps: EventDeps, id: string) {
  await applyInvoice(deps, id)
  const invoice = await look(deps.provider.stripe.invoices.retrieve(id))
  const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
  if (subscription) await syncSubscription(deps, subscription)
}

/** A charge that paid an invoice is explained together with it. */
async function applyAnyCharge(deps: EventDeps, id: string): Promise<string | null> {
  const charge = await readCharge(deps.provider, id)
  if (!charge) return null
  const intent = idOf(charge.payment_intent)
  const invoice = intent && !isOfSale(charge) && (await invoiceOf(deps.provider, intent))
  if (invoice) await applyInvoice(deps, invoice)
  await applyCharge(deps, charge)
  return intent
}

const isOfSale = ({ metadata }: Stripe.Charge) => ['goods', 'balance_due', 'holding_fee'].includes(metadata['purpose'] ?? '')

/** A charge whose own events may be lost: one of a sale changes the sale's payment too. */
export async function lookAtCharge(deps: EventDeps, id: string) {
  const intent = await applyAnyCharge(deps, id)
  if (intent) await syncIntent(deps, intent)
}

export async function lookAtRefund(deps: EventDeps, id: string) {
  const refund = await look(deps.provider.stripe.refunds.retrieve(id))
  const charge = idOf(refund?.charge)
  if (charge) await applyAnyCharge(deps, charge)
  await syncRefund(deps, id)
}

export async function lookAtDispute(deps: EventDeps, id: string) {
  await applyDispute(deps, id)
  await syncDispute(deps, id)
}

export async function lookAtTransfer(deps: EventDeps, id: string) {
  await applyTransfer(deps, id)
  await syncTransfer(deps, id)
}
