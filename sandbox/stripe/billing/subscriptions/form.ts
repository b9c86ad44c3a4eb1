import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

export const PAYMENT_BEHAVIOURS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete'] as const
export const PRORATION_BEHAVIOURS = ['create_prorations', 'always_invoice', 'none'] as const
const MAX_TRIAL_SECONDS = 730 * 24 * 60 * 60

/** A price that is sold by the month. */
export async function needPrice({ store }: Work, id: string, param: string): Promise<Stripe.Price> {
  const price = await store.need('price', id, param)
  if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  if (!price.recurring) {
    throw invalid('The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.', { param })
  }
  return price
}

/** A payment method that is the customer's own. */
export async function ownMethod({ store }: Work, customer: string, id: string): Promise<string> {
  const method = await store.need('payment_method', id, 'default_payment_method')
  if (method.customer && idOf(method.customer) === customer) return method.id
  throw invalid(`The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`, {
    code: 'resource_missing',
    param: 'default_payment_method',
  })
}

/** When a trial ends: null for none, or for one that ends now. */
export function trialEnd(form: Form, now: number): number | null | undefined {
  const days = form.integer('trial_period_days')
  const text = form.text('trial_end')
  if (text === 'now') return null
  const end = text === undefined ? (days ? now + days * 24 * 60 * 60 : undefined) : form.integer('trial_end')
  if (end === undefined) return undefined
  if (end <= now) throw invalid('The trial end date has to be in the future.', { param: 'trial_end' })
  if (end > now + MAX_TRIAL_SECONDS) {
    throw invalid('The maximum number of trial period days is 730 (2 years).', { param: 'trial_end' })
  }
  return end
}

/** What create and update both take and nothing else depends on. */
export function plainFields(form: Form, old: Stripe.Subscription): Partial<Stripe.Subscription> {
  const changed: Partial<Stripe.Subscription> = {}
  const description = form.nullable('description')
  if (description !== undefined) changed.description = description
  const settings = form.child('payment_settings')
  if (settings && old.payment_settings) {
    changed.payment_settings = {
      ...old.payment_settings,
      payment_method_types: settings.texts('payment_method_types') ?? old.payment_settings.payment_method_types,
      save_default_payment_method:
        settings.oneOf('save_default_payment_method', ['off', 'on_subscription']) ?? old.payment_settings.save_default_payment_method,
    }
  }
  const missing_payment_method = form
    .child('trial_settings')
    ?.child('end_behavior')
    ?.oneOf('missing_payment_method', ['cancel', 'create_invoice', 'pause'])
  if (missing_payment_method) changed.trial_settings = { end_behavior: { billing_cycle_anchor: null, missing_payment_method } }
  form.oneOf('collection_method', ['charge_automatically'])
  form.allow('currency', 'automatic_tax', 'billing_mode', 'invoice_settings', 'trial_from_plan')
  return changed
}

/** Ends with the period, at a time, or no more. */
export function cancelFields(form: Form, { items, cancellation_details }: Stripe.Subscription, now: number): Partial<Stripe.Subscription> {
  const atPeriodEnd = form.flag('cancel_at_period_end')
  const at = form.nullable('cancel_at')
  const { comment, feedback } = detailsOf(form)
  const details = { comment: null, feedback: null, feedback_option: null, reason: null, ...cancellation_details }
  if (comment !== undefined) details.comment = comment
  if (feedback !== undefined) details.feedback = feedback
  const isSet = atPeriodEnd || (at !== null && at !== undefined)
  if (isSet) {
    const cancel_at = atPeriodEnd ? (items.data[0]?.current_period_end ?? now) : (form.integer('cancel_at') ?? now)
    if (cancel_at <= now && !atPeriodEnd) throw invalid('`cancel_at` must be in the future.', { param: 'cancel_at' })
    const cancellation = { ...details, reason: 'cancellation_requested' as const }
    return { cancel_at, cancel_at_period_end: atPeriodEnd ?? false, canceled_at: now, cancellation_details: cancellation }
  }
  if (atPeriodEnd === false || at === null) {
    return { cancel_at: null, cancel_at_period_end: false, canceled_at: null, cancellation_details: { ...details, reason: null } }
  }
  return comment === undefined && feedback === undefined ? {} : { cancellation_details: details }
}

export function detailsOf(form: Form): { comment?: string | null; feedback?: Stripe.Subscription.CancellationDetails.Feedback | null } {
  const given = form.child('cancellation_details')
  const comment = given?.nullable('comment')
  const feedback = given?.nullable('feedback')
  return { ...(comment !== undefined && { comment }), ...(feedback !== undefined && { feedback }) }
}
