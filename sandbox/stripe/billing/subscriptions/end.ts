import type Stripe from 'stripe'
import { planSubscription, saveSubscription } from '#sandbox/stripe/billing/subscription-record.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { bill, pendingItems } from '#sandbox/stripe/billing/invoices/bill.ts'
import { collectByItself } from '#sandbox/stripe/billing/invoices/collect.ts'
import { voidInvoice } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { prorations } from '#sandbox/stripe/billing/subscriptions/proration.ts'
import type { Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { detach } from '#sandbox/stripe/payments/payment-methods.ts'
import { cancelSetupIntent } from '#sandbox/stripe/payments/intents/setup-intents.ts'

/** Deleting a customer belongs here: it ends the customer's subscriptions. */
export const customerDeletionRoutes: Route[] = [{ method: 'DELETE', path: '/v1/customers/:id', handle: deleteCustomer }]

type Details = Stripe.Subscription.CancellationDetails
type Ending = { details?: Partial<Details>; prorate?: boolean; invoiceNow?: boolean }

/** Ends a subscription now. What was paid and not used becomes the customer's credit if it is prorated and invoiced. */
export async function endSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  { details, prorate = false, invoiceNow = false }: Ending,
): Promise<Stripe.Subscription> {
  const { store, now } = work
  if (subscription.status === 'incomplete') return expireSubscription(work, subscription, details)
  if (prorate) {
    for (const item of await prorations(work, subscription, { to: null, at: now })) await store.put('invoiceitem', item)
  }
  await stopCollecting(work, subscription.id)
  const ended = await finish(work, subscription.id, 'canceled', details)
  const waiting = await pendingItems(work, subscription.id)
  if (waiting.length === 0) return ended
  if (invoiceNow) await collectByItself(work, await bill(work, ended, { reason: 'subscription_update', lines: [] }))
  else if (!prorate) for (const item of waiting) await store.remove('invoiceitem', item.id)
  return store.need('subscription', ended.id)
}

/** The first payment never came: the invoice is void and nothing more will be asked. */
export async function expireSubscription(
  work: Work,
  { id, latest_invoice }: Stripe.Subscription,
  details?: Partial<Details>,
): Promise<Stripe.Subscription> {
  const invoice = latest_invoice && (await work.store.need('invoice', idOf(latest_invoice)))
  if (invoice && invoice.status === 'open') await voidInvoice(work, invoice)
  if (details) return finish(work, id, 'incomplete_expired', details)
  return saveSubscription(work, id, { status: 'incomplete_expired', ended_at: work.now, canceled_at: work.now })
}

async function finish(
  work: Work,
  id: string,
  status: Stripe.Subscription.Status,
  details: Partial<Details> = {},
): Promise<Stripe.Subscription> {
  const { store, now } = work
  const last = await store.need('subscription', id)
  if (last.pending_setup_intent) {
    const intent = await store.need('setup_intent', idOf(last.pending_setup_intent))
    if (intent.status !== 'succeeded' && intent.status !== 'canceled') await cancelSetupIntent(work, intent, 'abandoned')
  }
  const ended = await store.put('subscription', {
    ...last,
    status,
    pending_setup_intent: null,
    canceled_at: last.canceled_at ?? now,
    ended_at: now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null, ...last.cancellation_details, ...details },
  })
  await planSubscription(work, ended)
  await work.emit('customer.subscription.deleted', ended)
  return ended
}

/** What is open stays open, but nobody tries to take it any more. */
async function stopCollecting(work: Work, subscription: string): Promise<void> {
  const { store } = work
  const parent = { subscription_details: { subscription } }
  const unpaid = [
    ...(await store.find('invoice', { status: 'draft', parent })),
    ...(await store.find('invoice', { status: 'open', parent })),
  ]
  for (const invoice of unpaid) {
    await store.remove('hidden.agenda', `finalize:${invoice.id}`)
    await store.remove('hidden.agenda', `retry:${invoice.id}`)
    await store.remove('hidden.agenda', `give_up:${invoice.id}`)
    await store.put('invoice', { ...invoice, auto_advance: false, next_payment_attempt: null })
  }
}

/** Deletes for good: subscriptions end at once, cards are detached, invoices and charges stay. */
async function deleteCustomer(context: Context): Promise<Stripe.DeletedCustomer> {
  const { store, params, emit } = context
  const customer = await store.need('customer', params['id'] ?? '')
  if (await store.get('hidden.cash_balance', customer.id)) {
    throw invalid('You cannot delete a customer with a cash balance, even if that is zero.', { param: 'id' })
  }
  for (const subscription of await store.find('subscription', { customer: customer.id, ended_at: null })) {
    await endSubscription(context, subscription, { details: { reason: 'cancellation_requested' } })
  }
  for (const method of await store.find('payment_method', { customer: customer.id })) await detach(context, method)
  await store.remove('customer', customer.id)
  await store.put('hidden.deleted', { id: customer.id, object: 'customer', deleted: true })
  await emit('customer.deleted', customer)
  return { id: customer.id, object: 'customer', deleted: true }
}
