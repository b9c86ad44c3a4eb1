import type Stripe from 'stripe'
import { invalid, SandboxError } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { unplan } from '#sandbox/stripe/billing/agenda.ts'
import { issue } from '#sandbox/stripe/billing/invoices/bill.ts'
import { collect, collectByItself, defaultMethod } from '#sandbox/stripe/billing/invoices/collect.ts'
import { finalizeInvoice, intentOf } from '#sandbox/stripe/billing/invoices/finalize.ts'
import { isAwaited, markPaid, markUncollectible, subscriptionOf, voidInvoice } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Expanders, Route } from '#sandbox/stripe/engine/route.ts'
import { expireSubscription } from '#sandbox/stripe/billing/subscriptions/end.ts'
import { saveSubscription } from '#sandbox/stripe/billing/subscription-record.ts'

type Invoice = Stripe.Invoice

export const invoiceExpanders: Expanders = {
  'invoice.confirmation_secret': async (work, invoice: Invoice): Promise<Stripe.Invoice.ConfirmationSecret | null> => {
    const intent = await intentOf(work, invoice)
    return intent?.client_secret ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  },
  'invoice.payments': async ({ store }, { id }: Invoice): Promise<Stripe.ApiList<Stripe.InvoicePayment>> => ({
    ...emptyList<Stripe.InvoicePayment>(`/v1/invoice_payments?invoice=${id}`),
    data: (await store.find('invoice_payment', { invoice: id })).reverse(),
  }),
}

export const invoiceRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    handle: async (context) => {
      const { form } = context
      const customer = form.text('customer')
      const status = form.text('status')
      const subscription = form.text('subscription')
      const parent = { subscription_details: { subscription } }
      form.allow('collection_method')
      return listOf(context, 'invoice', { ...(customer && { customer }), ...(status && { status }), ...(subscription && { parent }) })
    },
  },
  { method: 'GET', path: '/v1/invoices/:id', handle: needInvoice },
  {
    method: 'GET',
    path: '/v1/invoices/:id/lines',
    handle: async (context) => {
      context.form.allow('limit', 'starting_after', 'ending_before')
      return { ...emptyList(context.url.pathname), data: (await needInvoice(context)).lines.data }
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id',
    handle: async (context) => {
      const invoice = await needInvoice(context)
      const metadata = mergeMetadata(invoice.metadata, context.form.map('metadata'))
      const auto_advance = context.form.flag('auto_advance') ?? invoice.auto_advance
      const changed = await context.store.put('invoice', { ...invoice, metadata, ...(auto_advance !== undefined && { auto_advance }) })
      await context.emit('invoice.updated', changed)
      return changed
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    handle: async (context) => {
      const invoice = await needInvoice(context, ['draft'], 'finalize')
      const isCollected = context.form.flag('auto_advance') ?? invoice.auto_advance
      const subscription = await subscriptionOf(context, invoice)
      if (!subscription) return finalizeInvoice(context, invoice)
      await unplan(context, 'finalize', invoice.id)
      const issued = await issue(context, subscription, invoice)
      if (isCollected) await collectByItself(context, issued)
      return context.store.need('invoice', invoice.id)
    },
  },
  { method: 'POST', path: '/v1/invoices/:id/pay', handle: payInvoice },
  { method: 'POST', path: '/v1/invoices/:id/void', handle: (context) => giveUp(context, voidInvoice, ['open', 'uncollectible'], 'void') },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    handle: (context) => giveUp(context, markUncollectible, ['open'], 'mark uncollectible'),
  },
  {
    method: 'GET',
    path: '/v1/invoice_payments',
    handle: async (context) => {
      const invoice = context.form.text('invoice')
      const status = context.form.text('status')
      const given = context.form.child('payment')
      const payment_intent = given?.text('payment_intent')
      const payment = { payment_intent }
      given?.oneOf('type', ['payment_intent'])
      return listOf(context, 'invoice_payment', {
        ...(invoice && { invoice }),
        ...(status && { status }),
        ...(payment_intent && { payment }),
      })
    },
  },
  { method: 'GET', path: '/v1/invoice_payments/:id', handle: ({ store, params }) => store.need('invoice_payment', params['id'] ?? '') },
]

async function needInvoice({ store, params }: Context, wanted?: Stripe.Invoice.Status[], doing = 'change'): Promise<Invoice> {
  const invoice = await store.need('invoice', params['id'] ?? '')
  if (!wanted || wanted.includes(invoice.status ?? 'draft')) return invoice
  if (doing === 'pay' && invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' })
  throw invalid(`You can only ${doing} an invoice that is ${wanted.join(' or ')}; this one is ${invoice.status}.`, {
    code: 'invoice_not_editable',
  })
}

async function payInvoice(context: Context): Promise<Invoice> {
  const { form } = context
  const invoice = await needInvoice(context, ['open', 'uncollectible'], 'pay')
  const given = form.text('payment_method')
  const offSession = form.flag('off_session') ?? true
  if (form.flag('paid_out_of_band')) return markPaid(context, invoice, null)
  const paymentMethod = given ?? (await defaultMethod(context, invoice))
  if (!paymentMethod) {
    throw invalid('There is no default payment method set on this Customer or Subscription.', { code: 'resource_missing' })
  }
  const { invoice: tried, error } = await collect(context, invoice, { paymentMethod, offSession })
  if (error) throw error
  if (tried.status === 'paid') return tried
  const payment_intent = await intentOf(context, invoice)
  throw new SandboxError(402, {
    type: 'invalid_request_error',
    code: 'invoice_payment_intent_requires_action',
    message: 'Payment for this invoice requires additional user action before it can be completed successfully.',
    ...(payment_intent && { payment_intent }),
  })
}

/** Nobody will pay it: a first invoice takes its subscription with it, a later one lets it go on. */
async function giveUp(
  context: Context,
  end: (work: Context, invoice: Invoice) => Promise<Invoice>,
  wanted: Stripe.Invoice.Status[],
  doing: string,
): Promise<Invoice> {
  const invoice = await needInvoice(context, wanted, doing)
  const ended = await end(context, invoice)
  const subscription = await subscriptionOf(context, invoice)
  if (!subscription || !isAwaited(subscription, invoice)) return ended
  if (subscription.status === 'incomplete') await expireSubscription(context, subscription)
  else await saveSubscription(context, subscription.id, { status: 'active' })
  return ended
}
