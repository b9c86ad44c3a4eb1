import type Stripe from 'stripe'
import { book } from '#sandbox/stripe/payments/balance.ts'
import { emptyAddress } from '#sandbox/stripe/payments/payment-method-make.ts'
import { blankRefund, countRefund } from '#sandbox/stripe/payments/refunds/record.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, newId } from '#sandbox/stripe/engine/store.ts'

// A transfer as the connected account sees it: a payment of its own (py_), and a refund of it (pyr_) when it is reversed.

type Sent = Pick<Stripe.Transfer, 'id' | 'amount' | 'currency' | 'description'>

/** The money arrives, available when that of the charge is that it comes from. */
export async function receivePayment(work: Work, account: string, transfer: Sent, availableOn?: number): Promise<Stripe.Charge> {
  const { id: source_transfer, amount, currency, description } = transfer
  const own = { ...work, store: work.store.as(account) }
  const id = newId('py')
  const arrival = { type: 'payment', reporting_category: 'charge', source: id, amount, currency, description, availableOn } as const
  const { id: balance_transaction } = await book(own, arrival)
  return own.store.put('charge', {
    ...blankPayment,
    id,
    amount,
    amount_captured: amount,
    balance_transaction,
    created: work.now,
    currency,
    description,
    source_transfer,
  })
}

export async function returnPayment(
  work: Work,
  transfer: Stripe.Transfer,
  reversal: { id: string; amount: number },
): Promise<Stripe.Refund> {
  const own = { ...work, store: work.store.as(idOf(transfer.destination)) }
  const payment = await own.store.need('charge', idOf(transfer.destination_payment))
  const { amount, id: source_transfer_reversal } = reversal
  const refund = blankRefund(work, payment, amount)
  // it goes to the platform, not to a bank
  delete refund.destination_details
  const back = {
    type: 'payment_refund',
    reporting_category: 'refund',
    source: refund.id,
    amount: -amount,
    currency: payment.currency,
  } as const
  const { id: balance_transaction } = await book(own, back)
  await countRefund(own, payment, amount)
  return own.store.put('refund', { ...refund, balance_transaction, source_transfer_reversal })
}

const blankPayment: Omit<Stripe.Charge, 'id' | 'amount' | 'created' | 'currency'> = {
  object: 'charge',
  amount_captured: 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: { address: emptyAddress, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  captured: true,
  customer: null,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_intent: null,
  payment_method: null,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: null,
}
