import type Stripe from 'stripe'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { docUrl } from '#sandbox/stripe/http/errors.ts'
import type { Decline } from '#sandbox/stripe/payments/cards.ts'

/** Sends the cardholder to the hosted page where the bank asks: is that you? */
export async function askCardholder(
  { store, publicBase }: Work,
  id: string,
  return_url: string | null,
): Promise<Stripe.PaymentIntent.NextAction & Stripe.SetupIntent.NextAction> {
  await store.put('hidden.authentication', { id, return_url, state: 'waiting' })
  const url = `${publicBase}/sandbox/authenticate/${id}`
  if (return_url) return { type: 'redirect_to_url', redirect_to_url: { return_url, url } }
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
}

/** What an intent remembers of a refused card. */
export const rememberedDecline = (decline: Decline, payment_method: Stripe.PaymentMethod) => ({
  ...decline,
  ...docUrl(decline.code),
  payment_method,
})
