import type Stripe from 'stripe'
import { periodOf, planSubscription, TRIAL_WARNING_SECONDS } from '#sandbox/stripe/billing/subscription-record.ts'
import { bill } from '#sandbox/stripe/billing/invoices/bill.ts'
import { grantDiscounts } from '#sandbox/stripe/billing/discounts.ts'
import { cardError, invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { collect, methodFor } from '#sandbox/stripe/billing/invoices/collect.ts'
import { intentOf } from '#sandbox/stripe/billing/invoices/finalize.ts'
import { periodLine } from '#sandbox/stripe/billing/invoices/lines.ts'
import { markPaid } from '#sandbox/stripe/billing/invoices/outcomes.ts'
import { addMonths } from '#sandbox/stripe/billing/periods.ts'
import { behaviourOf } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Context, Work } from '#sandbox/stripe/engine/route.ts'
import { createSetupIntent } from '#sandbox/stripe/payments/intents/setup-intents.ts'
import {
  cancelFields,
  needPrice,
  ownMethod,
  PAYMENT_BEHAVIOURS,
  plainFields,
  trialEnd,
} from '#sandbox/stripe/billing/subscriptions/form.ts'
import { blankSubscription } from '#sandbox/stripe/billing/subscriptions/make.ts'

type Behaviour = (typeof PAYMENT_BEHAVIOURS)[number]

export async function createSubscription(context: Context): Promise<Stripe.Subscription> {
  const { store, form, emit, now } = context
  const customer = await store.need('customer', form.required('customer'), 'customer')
  const behaviour = form.oneOf('payment_behavior', PAYMENT_BEHAVIOURS) ?? 'allow_incomplete'
  const offSession = form.flag('off_session') ?? false
  form.allow('proration_behavior')
  const made = await draft(context, customer.id)
  const method = await methodFor(context, customer, [made.default_payment_method])
  const isTrial = made.status === 'trialing'
  if (!method && !isTrial && behaviour !== 'default_incomplete') throw noMethod()

  const discounts = await grantDiscounts(context, form.children('discounts'), { customer: customer.id, subscription: made.id })
  const subscription = await store.put('subscription', { ...made, discounts })
  const line = await periodLine(context, subscription, periodOf(subscription), isTrial)
  const invoice = await bill(context, subscription, { reason: 'subscription_create', lines: [line], period: { start: now, end: now } })
  const pending_setup_intent = isTrial || invoice.amount_due === 0 ? await cardForLater(context, customer.id, method) : null
  const billed = await store.put('subscription', { ...(await store.need('subscription', made.id)), pending_setup_intent })
  await planSubscription(context, billed)
  await emit('customer.subscription.created', billed)
  if (isTrial && (billed.trial_end ?? 0) - now <= TRIAL_WARNING_SECONDS) await emit('customer.subscription.trial_will_end', billed)

  if (invoice.amount_due === 0) await markPaid(context, invoice, null)
  else if (behaviour === 'default_incomplete') await prepare(context, invoice, method)
  else if (method) await payFirst(context, invoice, { method, offSession, behaviour })
  return store.need('subscription', made.id)
}

/** The subscription as the form asks for it, before anything is written. */
async function draft(context: Context, customer: string): Promise<Stripe.Subscription> {
  const { form, now } = context
  const [item, ...others] = form.children('items') ?? []
  if (!item || others.length > 0) throw invalid('The sandbox sells subscriptions of exactly one item.', { param: 'items' })
  const price = await needPrice(context, item.required('price'), 'items[0][price]')
  const trial_end = trialEnd(form, now) ?? null
  const end = trial_end ?? addMonths(now, price.recurring?.interval_count ?? 1)
  const blank = blankSubscription(context, {
    customer,
    price,
    quantity: item.integer('quantity') ?? 1,
    period: { start: now, end },
    metadata: mergeMetadata({}, item.map('metadata')),
  })
  const method = form.text('default_payment_method')
  return {
    ...blank,
    ...plainFields(form, blank),
    ...cancelFields(form, blank, now),
    metadata: mergeMetadata({}, form.map('metadata')),
    ...(method && { default_payment_method: await ownMethod(context, customer, method) }),
    billing_cycle_anchor: trial_end ?? now,
    status: trial_end === null ? 'incomplete' : 'trialing',
    trial_end,
    trial_start: trial_end === null ? null : now,
  }
}

/** A trial, or a first month that a coupon or credit pays for, takes no money, so that the card is asked for, or asked to be confirmed, by a setup intent. */
async function cardForLater(work: Work, customer: string, method: string | undefined): Promise<string | null> {
  if (method) {
    const { authenticate, isSetUp } = await behaviourOf(work, await work.store.need('payment_method', method))
    if (!authenticate || isSetUp) return null
  }
  const intent = await createSetupIntent(work, {
    customer,
    usage: 'off_session',
    payment_method_types: ['card'],
    ...(method && { payment_method: method, status: 'requires_confirmation' as const }),
  })
  return intent.id
}

/** The browser will confirm: the card that is known is already named. */
async function prepare(work: Work, invoice: Stripe.Invoice, method: string | undefined): Promise<void> {
  const intent = method && (await intentOf(work, invoice))
  if (intent) await work.store.put('payment_intent', { ...intent, payment_method: method, status: 'requires_confirmation' })
}

type First = { method: string; offSession: boolean; behaviour: Behaviour }

async function payFirst(context: Context, invoice: Stripe.Invoice, { method, offSession, behaviour }: First): Promise<void> {
  const { error } = await collect(context, invoice, { paymentMethod: method, offSession })
  if (behaviour !== 'error_if_incomplete') return
  const intent = await intentOf(context, invoice)
  if (error) throw error
  if (intent?.status !== 'succeeded') {
    throw cardError({
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  }
}

const noMethod = () =>
  invalid('This customer has no attached payment source or default payment method. Please consider adding a default payment method.', {
    code: 'resource_missing',
  })
