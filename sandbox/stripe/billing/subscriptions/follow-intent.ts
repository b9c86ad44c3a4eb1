import type Stripe from 'stripe'
import { markFailed, markPaid } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import type { Intent, IntentFollower, Work } from '#sandbox/stripe/engine/route.ts'
import { saveSubscription } from '#sandbox/stripe/billing/subscription-record.ts'

/** What a changed intent means to billing, whoever changed it: a browser, a call or the clock. */
export const followIntent: IntentFollower = async (work, intent) => {
  if (isSetup(intent)) await followSetup(work, intent)
  else await followPayment(work, intent)
}

const isSetup = (intent: Intent): intent is Stripe.SetupIntent => intent.object === 'setup_intent'

async function followPayment(work: Work, intent: Stripe.PaymentIntent): Promise<void> {
  const [payment] = await work.store.find('invoice_payment', { payment: { payment_intent: intent.id } })
  if (!payment) return
  const invoice = await work.store.need('invoice', idOf(payment.invoice))
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') return
  const { status, last_payment_error } = intent
  if (status === 'succeeded') await markPaid(work, invoice, intent.payment_method && idOf(intent.payment_method))
  else if (status === 'requires_action') await work.emit('invoice.payment_action_required', invoice)
  else if (status === 'requires_payment_method' && last_payment_error) {
    await markFailed(work, invoice, last_payment_error.code === 'authentication_required')
  }
}

/** The card that a trial was waiting for. */
async function followSetup(work: Work, intent: Stripe.SetupIntent): Promise<void> {
  if (intent.status !== 'succeeded' || !intent.payment_method) return
  for (const subscription of await work.store.find('subscription', { pending_setup_intent: intent.id })) {
    const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
    await saveSubscription(work, subscription.id, {
      pending_setup_intent: null,
      ...(saves && { default_payment_method: idOf(intent.payment_method) }),
    })
  }
}
