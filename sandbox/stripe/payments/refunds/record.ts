import type Stripe from 'stripe'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

/** What can still be refunded: the part that was never captured counts as refunded already. */
export const refundable = ({ amount, amount_refunded }: Stripe.Charge) => amount - amount_refunded

/**
 * Releases what was authorised and not captured. The provider shows it as a refund without a balance transaction.
 * Whether it also tells `charge.refunded` of the rest of a partial capture is not known: here it does not.
 */
export async function releaseUncaptured(
  work: Work,
  charge: Stripe.Charge,
  { amount, reason = null }: { amount: number; reason?: Stripe.Refund.Reason | null },
): Promise<Stripe.Charge> {
  if (amount === 0) return charge
  const made = await work.store.put('refund', { ...blankRefund(work, charge, amount), reason })
  await work.emit('refund.created', made)
  return countRefund(work, charge, amount)
}

/** Adds to (or, when a refund fails, takes from) what the charge says was refunded. */
export function countRefund({ store }: Work, charge: Stripe.Charge, amount: number): Promise<Stripe.Charge> {
  const amount_refunded = charge.amount_refunded + amount
  return store.put('charge', { ...charge, amount_refunded, refunded: amount_refunded === charge.amount })
}

/** A charge, or a customer's cash, which has no id. */
type Source = Pick<Stripe.Charge, 'currency' | 'customer' | 'payment_intent' | 'payment_method' | 'payment_method_details'> & {
  id: string | null
}

export function blankRefund({ now }: Work, charge: Source, amount: number): Stripe.Refund {
  const isCard = charge.payment_method_details?.type === 'card'
  return {
    id: newId(isCard ? 're' : 'pyr'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: isCard
      ? { card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' }, type: 'card' }
      : { gb_bank_transfer: { reference: null, reference_status: 'pending' }, type: 'gb_bank_transfer' },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}
