import type Stripe from 'stripe'
import { previewOffs } from '#sandbox/stripe/billing/discounts.ts'
import { invalid, missingParam } from '#sandbox/stripe/http/errors.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'
import { periodLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { makeInvoice } from '#sandbox/stripe/billing/invoices/make.ts'
import { nextInvoice, preview } from '#sandbox/stripe/billing/invoices/next.ts'
import { addMonths } from '#sandbox/stripe/billing/periods.ts'
import { prorations } from '#sandbox/stripe/billing/subscriptions/proration.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { needPrice, PRORATION_BEHAVIOURS, trialEnd } from '#sandbox/stripe/billing/subscriptions/form.ts'
import { periodOf, withItem } from '#sandbox/stripe/billing/subscription-record.ts'
import { blankSubscription, planOf } from '#sandbox/stripe/billing/subscriptions/make.ts'

export const previewRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/invoices/create_preview',
    handle: async (context) => {
      const id = context.form.text('subscription')
      context.form.allow('preview_mode', 'currency', 'customer')
      return id ? previewNext(context, await context.store.need('subscription', id, 'subscription')) : previewFirst(context)
    },
  },
]

/** The next invoice of a subscription, as it is or as a change would make it. */
async function previewNext(context: Context, subscription: Stripe.Subscription): Promise<Stripe.Invoice> {
  const { form, now } = context
  const details = form.child('subscription_details')
  const isFinal = details?.flag('cancel_now') ?? false
  if (subscription.ended_at !== null || (subscription.cancel_at_period_end && !details)) {
    throw invalid('No upcoming invoices for customer', { code: 'invoice_upcoming_none' })
  }
  const at = details?.integer('proration_date') ?? now
  const behaviour = details?.oneOf('proration_behavior', PRORATION_BEHAVIOURS) ?? 'create_prorations'
  const item = details?.children('items')?.[0]
  const priceId = item?.text('price')
  item?.allow('id')
  const to = priceId ? await needPrice(context, priceId, 'subscription_details[items][0][price]') : null
  const items = (to || isFinal) && behaviour !== 'none' ? await prorations(context, subscription, { to, at }) : []
  const changed = to ? { ...subscription, ...withItem(subscription, { price: to, plan: planOf(to) }) } : subscription
  const offs = form.has('discounts') ? { offs: await previewOffs(context, form.children('discounts')) } : {}
  const onlyNow = isFinal || (to !== null && behaviour === 'always_invoice')
  const invoice = await nextInvoice(context, changed, { items, isFinal: onlyNow, ...offs })
  if (invoice.parent?.subscription_details && items.length > 0) invoice.parent.subscription_details.subscription_proration_date = at
  return invoice
}

/** The first invoice of a subscription that nobody has yet. */
async function previewFirst(context: Context): Promise<Stripe.Invoice> {
  const { store, form, now } = context
  const customer = await store.need('customer', form.required('customer'), 'customer')
  const details: Form | undefined = form.child('subscription_details')
  const item = details?.children('items')?.[0]
  if (!details || !item) throw missingParam('subscription_details[items]')
  const price = await needPrice(context, item.required('price'), 'subscription_details[items][0][price]')
  const trial_end = trialEnd(details, now)
  const end = trial_end ?? addMonths(now, price.recurring?.interval_count ?? 1)
  const making = { customer: customer.id, price, quantity: item.integer('quantity') ?? 1, period: { start: now, end }, metadata: {} }
  const subscription = blankSubscription(context, making)
  const invoice = makeInvoice(context, {
    customer,
    subscription: null,
    reason: 'upcoming',
    currency: price.currency,
    lines: [await periodLine(context, subscription, periodOf(subscription), Boolean(trial_end))],
    offs: await previewOffs(context, form.children('discounts')),
    period: { start: now, end: now },
  })
  return preview(invoice)
}
