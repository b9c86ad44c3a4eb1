import { sql, type Selectable } from 'kysely'
import type { ProviderEvents } from '#database/schema.gen.ts'
import {
  applyCharge,
  applyDispute,
  applyPayout,
  applyTransfer,
  idOf,
  invoiceOf,
  syncAccount,
  syncCards,
  type PaymentDeps,
} from '#server/features/payments/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { applyInvoice, syncSubscription } from '#server/features/subscription/public.ts'
import { look } from '#server/providers/payment.ts'

export type EventDeps = PaymentDeps & { readSetting: ReadSetting }
export type ProviderEvent = Selectable<ProviderEvents>

type Apply = (deps: EventDeps, objectId: string) => Promise<unknown>

/** The first prefix that fits says what is looked at anew. So it does not matter which of several events came first, or twice. */
const appliers: readonly (readonly [prefix: string, apply: Apply])[] = [
  ['customer.subscription.', syncSubscription],
  ['customer.', (deps, id) => syncCards(deps, id)],
  ['setup_intent.', syncSetupIntent],
  ['payment_method.', syncCardHolder],
  ['invoice.', syncInvoice],
  ['charge.dispute.', applyDispute],
  ['charge.refund.', syncRefund],
  ['charge.', syncCharge],
  ['refund.', syncRefund],
  ['payout.', applyPayout],
  ['transfer.', applyTransfer],
]

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

async function apply(deps: EventDeps, { type, account, object_id }: ProviderEvent): Promise<void> {
  // what happens on a user's own account is the user's; we want to know whether it can be paid into
  if (account !== null || type.startsWith('account.')) {
    const accountId = account ?? object_id
    if (/^(?:account|capability|person)\./.test(type) && accountId) await syncAccount(deps, accountId)
    return
  }
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
async function syncCharge(deps: EventDeps, id: string) {
  const charge = await look(deps.provider.stripe.charges.retrieve(id))
  const intent = idOf(charge?.payment_intent)
  const invoice = intent && (await invoiceOf(deps.provider, intent))
  if (invoice) await applyInvoice(deps, invoice)
  await applyCharge(deps, id)
}

async function syncRefund(deps: EventDeps, id: string) {
  const refund = await look(deps.provider.stripe.refunds.retrieve(id))
  const charge = idOf(refund?.charge)
  if (charge) await syncCharge(deps, charge)
}
