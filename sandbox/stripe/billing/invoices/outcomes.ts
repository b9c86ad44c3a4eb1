import type Stripe from 'stripe'
import { unplan } from '#sandbox/stripe/billing/agenda.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { intentOf, paymentOf } from '#sandbox/stripe/billing/invoices/finalize.ts'
import { cancelPaymentIntent } from '#sandbox/stripe/payments/intents/payment-intents.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { saveSubscription } from '#sandbox/stripe/billing/subscription-record.ts'

type Subscription = Stripe.Subscription

/** Paid by the card, by credit, or elsewhere: the subscription that waited for it is active. */
export async function markPaid(work: Work, invoice: Stripe.Invoice, paidWith: string | null): Promise<Stripe.Invoice> {
  const { amount_due } = invoice
  const paid = await end(work, invoice, 'paid_at', { status: 'paid', amount_paid: amount_due, amount_remaining: 0, attempted: true })
  const payment = await paymentOf(work, invoice)
  if (payment?.status === 'open') {
    const status_transitions = { ...payment.status_transitions, paid_at: work.now }
    const settled = await work.store.put('invoice_payment', { ...payment, amount_paid: amount_due, status: 'paid', status_transitions })
    await work.emit('invoice_payment.paid', settled)
  }
  await work.emit('invoice.paid', paid)
  await work.emit('invoice.payment_succeeded', paid)

  const subscription = await subscriptionOf(work, invoice)
  if (!subscription) return paid
  const saves = paidWith !== null && subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  await saveSubscription(work, subscription.id, {
    ...(isAwaited(subscription, invoice) && { status: 'active' }),
    ...(saves && { default_payment_method: paidWith }),
  })
  return paid
}

/** A payment was refused: a first one leaves the subscription incomplete, a later one past due. */
export async function markFailed(work: Work, invoice: Stripe.Invoice, needsCardholder: boolean): Promise<void> {
  const failed = await work.store.put('invoice', { ...invoice, attempted: true, attempt_count: Math.max(1, invoice.attempt_count) })
  if (needsCardholder) await work.emit('invoice.payment_action_required', failed)
  await work.emit('invoice.payment_failed', failed)
  const subscription = await subscriptionOf(work, invoice)
  if (subscription?.status === 'active' || subscription?.status === 'trialing') {
    await saveSubscription(work, subscription.id, { status: 'past_due' })
  }
}

export async function voidInvoice(work: Work, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const intent = await intentOf(work, invoice)
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled') await cancelPaymentIntent(work, intent, 'void_invoice')
  const payment = await paymentOf(work, invoice)
  if (payment?.status === 'open') {
    const status_transitions = { ...payment.status_transitions, canceled_at: work.now }
    await work.store.put('invoice_payment', { ...payment, status: 'canceled', status_transitions })
  }
  const voided = await end(work, invoice, 'voided_at', { status: 'void' })
  await work.emit('invoice.voided', voided)
  return voided
}

export async function markUncollectible(work: Work, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const given = await end(work, invoice, 'marked_uncollectible_at', { status: 'uncollectible' })
  await work.emit('invoice.marked_uncollectible', given)
  return given
}

export async function subscriptionOf({ store }: Work, { parent }: Stripe.Invoice): Promise<Subscription | undefined> {
  const id = parent?.subscription_details?.subscription
  return id ? store.get('subscription', idOf(id)) : undefined
}

/** The invoice that an unpaid subscription waits for. */
export const isAwaited = ({ status, latest_invoice }: Subscription, { id }: Stripe.Invoice) =>
  (status === 'incomplete' || status === 'past_due') && latest_invoice !== null && idOf(latest_invoice) === id

async function end(
  work: Work,
  invoice: Stripe.Invoice,
  at: keyof Stripe.Invoice.StatusTransitions,
  change: Partial<Stripe.Invoice>,
): Promise<Stripe.Invoice> {
  await unplan(work, 'retry', invoice.id)
  await unplan(work, 'give_up', invoice.id)
  const status_transitions = { ...invoice.status_transitions, [at]: work.now }
  return work.store.put('invoice', { ...invoice, ...change, auto_advance: false, next_payment_attempt: null, status_transitions })
}
