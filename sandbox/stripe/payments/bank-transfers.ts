import type Stripe from 'stripe'
import { makeCharge } from '#sandbox/stripe/payments/charges.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { emptyAddress } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { letters, newId } from '#sandbox/stripe/engine/store.ts'

type Cash = Stripe.CustomerCashBalanceTransaction
type CashMove = Pick<Cash, 'type' | 'net_amount' | 'currency'> &
  Partial<Pick<Cash, 'funded' | 'applied_to_payment' | 'unapplied_from_payment'>>

/** Waits for the buyer's bank, and uses at once what the buyer has already sent. */
export async function payByBankTransfer(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Stripe.PaymentIntent> {
  if (typeof intent.customer !== 'string') {
    throw invalid('You must provide a customer to pay with a bank transfer.', { code: 'parameter_missing', param: 'customer' })
  }
  const { account_number } = await cashOf(work, intent.customer)
  const waiting = await work.store.put('payment_intent', {
    ...intent,
    payment_method: method.id,
    status: 'requires_action',
    last_payment_error: null,
    next_action: {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: {
        amount_remaining: intent.amount,
        currency: intent.currency,
        financial_addresses: [financialAddress(account_number)],
        hosted_instructions_url: `${work.publicBase}/sandbox/bank-transfer/${intent.id}`,
        reference: letters(12).toUpperCase(),
        type: 'gb_bank_transfer',
      },
    },
  })
  const { available } = await cashOf(work, intent.customer)
  if ((available[intent.currency] ?? 0) < intent.amount) {
    await work.emit('payment_intent.requires_action', waiting)
    await work.follow(waiting)
  }
  return applyCash(work, waiting)
}

/** Spends what the customer has sent on this intent: all of it, or a part with the rest still to come. */
export async function applyCash(work: Work, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const { store, emit } = work
  const instructions = intent.next_action?.display_bank_transfer_instructions
  if (!instructions || typeof intent.customer !== 'string' || typeof intent.payment_method !== 'string') return intent
  const remaining = instructions.amount_remaining ?? 0
  const { available } = await cashOf(work, intent.customer)
  const taken = Math.min(available[intent.currency] ?? 0, remaining)
  if (taken === 0) return intent

  const { currency } = intent
  await moveCash(work, intent.customer, {
    type: 'applied_to_payment',
    net_amount: -taken,
    currency,
    applied_to_payment: { payment_intent: intent.id },
  })
  if (taken < remaining) {
    const next_action = {
      ...intent.next_action,
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: { ...instructions, amount_remaining: remaining - taken },
    }
    const partly = await store.put('payment_intent', { ...intent, next_action })
    await emit('payment_intent.partially_funded', partly)
    await work.follow(partly)
    return partly
  }
  const method = await store.need('payment_method', intent.payment_method)
  const charge = await makeCharge(work, { intent, method, behaviour: {}, isAuthenticated: false })
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

/** What a cancelled intent had taken goes back to the customer's cash. */
export async function releaseCash(work: Work, intent: Stripe.PaymentIntent): Promise<void> {
  const remaining = intent.next_action?.display_bank_transfer_instructions?.amount_remaining
  if (remaining == null || remaining === intent.amount || typeof intent.customer !== 'string') return
  const back = { net_amount: intent.amount - remaining, currency: intent.currency }
  await moveCash(work, intent.customer, { type: 'unapplied_from_payment', ...back, unapplied_from_payment: { payment_intent: intent.id } })
}

export async function moveCash(work: Work, customer: string, move: CashMove): Promise<Cash> {
  const { store, now, emit } = work
  const cash = await cashOf(work, customer)
  const ending_balance = (cash.available[move.currency] ?? 0) + move.net_amount
  await store.put('hidden.cash_balance', { ...cash, available: { ...cash.available, [move.currency]: ending_balance } })
  const transaction = await store.put('customer_cash_balance_transaction', {
    id: newId('ccsbtxn'),
    object: 'customer_cash_balance_transaction',
    created: now,
    customer,
    customer_account: null,
    ending_balance,
    livemode: false,
    ...move,
  })
  await emit('customer_cash_balance_transaction.created', transaction)
  return transaction
}

export async function cashOf({ store }: Work, customer: string) {
  const cash = await store.get('hidden.cash_balance', customer)
  if (cash) return cash
  const account_number = String(10_000_000 + Math.floor(Math.random() * 89_999_999))
  return store.put('hidden.cash_balance', { id: customer, available: {}, account_number })
}

export const financialAddress = (account_number: string) => ({
  type: 'sort_code' as const,
  sort_code: {
    account_holder_address: { ...emptyAddress, country: 'GB' },
    account_holder_name: 'Yardbid',
    account_number,
    bank_address: { ...emptyAddress, country: 'GB' },
    sort_code: '200000',
  },
  supported_networks: ['bacs' as const, 'fps' as const],
})
