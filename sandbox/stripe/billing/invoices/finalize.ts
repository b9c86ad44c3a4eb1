import type Stripe from 'stripe'
import { moveBalance } from '#sandbox/stripe/billing/customer-credit.ts'
import { createPaymentIntent } from '#sandbox/stripe/payments/intents/payment-intents.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf, letters, newId } from '#sandbox/stripe/engine/store.ts'

// Stripe takes no smaller card payment in pounds: less than that is owed until the next invoice
const SMALLEST_CHARGE = 30

const DESCRIPTIONS: Record<string, string> = {
  subscription_create: 'Subscription creation',
  subscription_update: 'Subscription update',
}

/** Gives a draft its number, uses the customer's credit, and asks for the rest. */
export async function finalizeInvoice(work: Work, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const { store, now, publicBase } = work
  const customer = await store.need('customer', idOf(draft.customer ?? ''))
  const starting_balance = customer.balance
  const owed = draft.total + starting_balance
  const isTooSmall = owed > 0 && owed < SMALLEST_CHARGE
  const amount_due = isTooSmall ? 0 : Math.max(0, owed)
  const ending_balance = isTooSmall ? owed : Math.min(0, owed)
  const sequence = customer.next_invoice_sequence ?? 1
  const numbered = await store.put('customer', { ...customer, next_invoice_sequence: sequence + 1, currency: draft.currency })
  if (ending_balance !== starting_balance) {
    await moveBalance(work, numbered, {
      amount: ending_balance - starting_balance,
      currency: draft.currency,
      type: isTooSmall ? 'invoice_too_small' : 'applied_to_invoice',
      invoice: draft.id,
    })
  }

  const page = await store.put('hidden.invoice_page', { id: `test_${letters(48)}`, invoice: draft.id })
  const address = `${publicBase}/sandbox/invoices/${page.id}`
  const invoice = await store.put('invoice', {
    ...draft,
    amount_due,
    amount_remaining: amount_due,
    effective_at: now,
    ending_balance,
    hosted_invoice_url: address,
    invoice_pdf: `${address}/pdf`,
    number: `${customer.invoice_prefix ?? 'YARDBID'}-${String(sequence).padStart(4, '0')}`,
    starting_balance,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  })
  await work.emit('invoice.finalized', invoice)
  if (amount_due > 0) await askForPayment(work, invoice)
  return invoice
}

/** The payment that an invoice waits for, if it waits for one. */
export async function paymentOf({ store }: Work, invoice: Stripe.Invoice): Promise<Stripe.InvoicePayment | undefined> {
  return (await store.find('invoice_payment', { invoice: invoice.id })).at(-1)
}

export async function intentOf(work: Work, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent | undefined> {
  const intent = (await paymentOf(work, invoice))?.payment.payment_intent
  return intent ? work.store.get('payment_intent', idOf(intent)) : undefined
}

async function askForPayment(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const { amount_due: amount, currency } = invoice
  // money moves now, even when the invoice is of a day that a stopped sandbox catches up with
  const intent = await createPaymentIntent(present(work), {
    amount,
    currency,
    customer: idOf(invoice.customer ?? ''),
    description: DESCRIPTIONS[invoice.billing_reason ?? ''] ?? 'Subscription renewal',
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
  })
  await work.store.put('invoice_payment', {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: amount,
    created: work.now,
    currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

/** The same work by the clock's own time. */
export const present = (work: Work): Work => ({ ...work, now: work.store.now })
