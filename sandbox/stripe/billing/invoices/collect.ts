import type Stripe from 'stripe'
import { plan } from '#sandbox/stripe/billing/agenda.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import type { SandboxError } from '#sandbox/stripe/http/errors.ts'
import { intentOf, present } from '#sandbox/stripe/billing/invoices/finalize.ts'
import { markFailed, markPaid, subscriptionOf } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { payIntent } from '#sandbox/stripe/payments/intents/pay.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

const DAY = 24 * 60 * 60
/** Days after the first attempt at which a refused renewal is tried again. */
const RETRY_DAYS = [1, 3, 5]
/** When it is still unpaid then, the subscription ends. */
const GIVE_UP_DAYS = 7

type Collected = { invoice: Stripe.Invoice; error?: SandboxError }

/** Takes what is due by itself: with the default card, nobody at the screen, and again on later days. */
export async function collectByItself(work: Work, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.amount_due === 0) return void (await markPaid(work, invoice, null))
  const attempt_count = invoice.attempt_count + 1
  const first = invoice.status_transitions.finalized_at ?? work.now
  const days = RETRY_DAYS[attempt_count - 1]
  const next_payment_attempt = days === undefined ? null : first + days * DAY
  const tried = await work.store.put('invoice', { ...invoice, attempted: true, attempt_count, next_payment_attempt })
  const method = await defaultMethod(work, tried)
  // planned first: what a payment settles strikes it out again
  if (next_payment_attempt === null) await plan(work, { what: 'give_up', of: invoice.id, at: first + GIVE_UP_DAYS * DAY })
  else await plan(work, { what: 'retry', of: invoice.id, at: next_payment_attempt })
  if (method) await collect(work, tried, { paymentMethod: method, offSession: true })
  else await markFailed(work, tried, false)
}

/** Takes what is due from one card. What came of it is written where the intent's change is followed. */
export async function collect(
  work: Work,
  invoice: Stripe.Invoice,
  paying: { paymentMethod: string; offSession: boolean },
): Promise<Collected> {
  const intent = await intentOf(work, invoice)
  if (!intent || invoice.amount_due === 0) return { invoice: await markPaid(work, invoice, null) }
  const { error } = await payIntent(present(work), intent, paying)
  return { invoice: await work.store.need('invoice', invoice.id), ...(error && { error }) }
}

/** The card that an invoice is paid with: the subscription's own, or the customer's for invoices. */
export async function defaultMethod(work: Work, invoice: Stripe.Invoice): Promise<string | undefined> {
  const customer = await work.store.get('customer', idOf(invoice.customer ?? ''))
  const subscription = await subscriptionOf(work, invoice)
  return customer && methodFor(work, customer, [invoice.default_payment_method, subscription?.default_payment_method])
}

/** The first of these that is still the customer's, or else the default for the customer's invoices. */
export async function methodFor(
  { store }: Work,
  { id, invoice_settings }: Stripe.Customer,
  preferred: (string | Stripe.PaymentMethod | null | undefined)[],
): Promise<string | undefined> {
  for (const one of [...preferred, invoice_settings.default_payment_method]) {
    const method = one && (await store.get('payment_method', idOf(one)))
    if (method && method.customer === id) return method.id
  }
  return undefined
}
