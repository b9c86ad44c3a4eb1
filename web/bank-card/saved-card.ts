import { loadStripe } from '@stripe/stripe-js/pure'
import type { Config } from '#contract/config.ts'
import { returnAddress } from '#web/bank-card/bank-page.ts'
import { heldCardOf, outcomeOfAnswer, type CardOutcome } from '#web/bank-card/card-outcome.ts'
import { confirmHeldCard, readIntent } from '#web/bank-card/sandbox-provider.ts'

const noCard: CardOutcome = { end: 'refused', field: 'number', message: 'No saved card was found. Enter one.' }

/** Asks the bank of the card that a payment intent was tried with to confirm it: nothing is typed again. */
export async function confirmSavedCard(
  { publishable_key, api_base }: Config['stripe'],
  clientSecret: string,
  name: string,
): Promise<CardOutcome> {
  if (api_base === null) return confirmAtStripe(publishable_key, clientSecret)
  const sandbox = { publishable_key, api_base }
  const intent = await readIntent(sandbox, clientSecret)
  const card = intent && heldCardOf(intent)
  return card ? confirmHeldCard(sandbox, clientSecret, card, returnAddress(name)) : noCard
}

/** Authentication opens above the page. */
async function confirmAtStripe(publishableKey: string, clientSecret: string): Promise<CardOutcome> {
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('Stripe did not load. Check your connection and try again.')
  const { paymentIntent: held } = await stripe.retrievePaymentIntent(clientSecret)
  const card = held && heldCardOf(held)
  if (!card) return noCard
  const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, { payment_method: card })
  return outcomeOfAnswer(paymentIntent, error)
}
