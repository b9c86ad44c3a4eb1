import type Stripe from 'stripe'
import { availableCash, financialAddress, moveCash, openCash } from '#sandbox/stripe/payments/cash/cash.ts'
import { makeCharge } from '#sandbox/stripe/payments/charges.ts'
import { invalid, missingParam } from '#sandbox/stripe/http/errors.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { letters } from '#sandbox/stripe/engine/store.ts'

type Intent = Stripe.PaymentIntent

/**
 * Pays with the customer's cash, or waits for the customer's bank and uses at once what has already arrived.
 * Undefined when the cash is short and no funding type says how more of it could come.
 */
export async function payByBankTransfer(work: Work, given: Intent, method: Stripe.PaymentMethod): Promise<Intent | undefined> {
  const customer = checkTransfer(given)
  const intent = await releaseCash(work, given)
  const cash = await openCash(work, customer)
  const isEnough = (cash.available[intent.currency] ?? 0) >= intent.amount
  const ready = { ...intent, payment_method: method.id, last_payment_error: null }
  if (!intent.payment_method_options?.customer_balance?.funding_type) {
    return isEnough ? applyCash(work, { ...ready, next_action: instructions(work, intent, cash.account_number) }) : undefined
  }
  const next_action = instructions(work, intent, cash.account_number)
  const waiting = await work.store.put('payment_intent', { ...ready, status: 'requires_action', next_action })
  const isManual = cash.mode === 'manual'
  if (isManual || !isEnough) {
    await work.emit('payment_intent.requires_action', waiting)
    await work.follow(waiting)
  }
  return isManual ? waiting : applyCash(work, waiting)
}

/** What the customer still has to send for this intent; undefined when it does not wait for a bank transfer. */
export const remainingOf = ({ next_action }: Intent) => next_action?.display_bank_transfer_instructions?.amount_remaining ?? undefined

/** Spends cash on this intent, at most so much: all that it needs, or a part with the rest still to come. */
export async function applyCash(work: Work, intent: Intent, most = Infinity): Promise<Intent> {
  const { store, emit } = work
  const remaining = remainingOf(intent)
  if (remaining === undefined || typeof intent.customer !== 'string' || typeof intent.payment_method !== 'string') return intent
  const { currency } = intent
  const taken = Math.min(await availableCash(work, intent.customer, currency), remaining, most)
  if (taken === 0) return intent

  const applied_to_payment = { payment_intent: intent.id }
  await moveCash(work, intent.customer, { type: 'applied_to_payment', net_amount: -taken, currency, applied_to_payment })
  if (taken < remaining) {
    const partly = await store.put('payment_intent', withRemaining(intent, remaining - taken))
    await emit('payment_intent.partially_funded', partly)
    await work.follow(partly)
    return partly
  }
  const method = await store.need('payment_method', intent.payment_method)
  const charge = await makeCharge(work, { intent, method, behaviour: {} })
  const paid = await store.put('payment_intent', {
    ...intent,
    status: 'succeeded',
    next_action: null,
    latest_charge: charge.id,
    amount_received: intent.amount,
  })
  await emit('payment_intent.succeeded', paid)
  await work.follow(paid)
  return paid
}

/**
 * Gives back to the customer's cash what an intent had taken that is now cancelled, changed or confirmed again.
 * It stays there until new money comes or somebody applies it: that the provider reconciles it anew is not documented.
 */
export async function releaseCash(work: Work, intent: Intent): Promise<Intent> {
  const remaining = remainingOf(intent)
  if (remaining === undefined || remaining === intent.amount || typeof intent.customer !== 'string') return intent
  const { amount, currency, id } = intent
  const unapplied_from_payment = { payment_intent: id }
  await moveCash(work, intent.customer, {
    type: 'unapplied_from_payment',
    net_amount: amount - remaining,
    currency,
    unapplied_from_payment,
  })
  return withRemaining(intent, amount)
}

/** Asks for a new amount, under the same reference. */
export async function changeAmount(work: Work, intent: Intent, amount: number): Promise<Intent> {
  return withRemaining({ ...(await releaseCash(work, intent)), amount }, amount)
}

function withRemaining(intent: Intent, amount_remaining: number): Intent {
  const shown = intent.next_action?.display_bank_transfer_instructions
  if (!intent.next_action || !shown) return intent
  return { ...intent, next_action: { ...intent.next_action, display_bank_transfer_instructions: { ...shown, amount_remaining } } }
}

function checkTransfer({ customer, currency, capture_method, on_behalf_of }: Intent): string {
  if (typeof customer !== 'string') throw missingParam('customer')
  if (capture_method === 'manual') {
    throw invalid('The payment method type customer_balance does not support capture_method manual.', { param: 'capture_method' })
  }
  if (on_behalf_of) throw invalid('The payment method type customer_balance does not support on_behalf_of.', { param: 'on_behalf_of' })
  if (currency !== 'gbp') throw invalid('The bank transfer type gb_bank_transfer only supports the currency gbp.', { param: 'currency' })
  return customer
}

// the account number is the customer's, the reference the payment's
const instructions = ({ publicBase }: Work, intent: Intent, accountNumber: string): Stripe.PaymentIntent.NextAction => ({
  type: 'display_bank_transfer_instructions',
  display_bank_transfer_instructions: {
    amount_remaining: intent.amount,
    currency: intent.currency,
    financial_addresses: [financialAddress(accountNumber)],
    hosted_instructions_url: `${publicBase}/sandbox/bank-transfer/${intent.id}`,
    reference: intent.next_action?.display_bank_transfer_instructions?.reference ?? letters(12).toUpperCase(),
    type: 'gb_bank_transfer',
  },
})
