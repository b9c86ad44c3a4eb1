import type Stripe from 'stripe'
import { checkClientSecret } from '#sandbox/stripe/access.ts'
import { invalid } from '#sandbox/stripe/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/form.ts'
import { listOf } from '#sandbox/stripe/lists.ts'
import { findPaymentMethod, makePaymentMethod } from '#sandbox/stripe/payment-method-make.ts'
import type { Context, Route } from '#sandbox/stripe/route.ts'
import { cancelSetupIntent, createSetupIntent, setUp } from '#sandbox/stripe/setup-intents.ts'

export const setupIntentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/setup_intents',
    handle: async (context) => {
      const { form } = context
      const usage = form.oneOf('usage', ['off_session', 'on_session'] as const)
      const intent = await createSetupIntent(context, { ...(await readFields(context, { metadata: {} })), ...(usage && { usage }) })
      form.allow('confirm', 'return_url', 'use_stripe_sdk', 'mandate_data', 'payment_method_options')
      return form.flag('confirm') ? confirm(context, intent) : intent
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents',
    handle: async (context) => {
      const customer = context.form.text('customer')
      return listOf(context, 'setup_intent', customer ? { customer } : {})
    },
  },
  { method: 'GET', path: '/v1/setup_intents/:id', access: 'browser', handle: needIntent },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id',
    handle: async (context) => {
      const intent = await needIntent(context)
      return context.store.put('setup_intent', { ...intent, ...(await readFields(context, intent)) })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    access: 'browser',
    handle: async (context) => {
      const intent = await needIntent(context)
      if (intent.status === 'succeeded' || intent.status === 'canceled') {
        const message = `You cannot confirm this SetupIntent because it has already ${intent.status === 'succeeded' ? 'succeeded' : 'been canceled'}.`
        throw invalid(message, { code: 'setup_intent_unexpected_state', setup_intent: intent })
      }
      context.form.allow('return_url', 'use_stripe_sdk', 'mandate_data')
      return confirm(context, { ...intent, ...(await readFields(context, intent)) })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    handle: async (context) => {
      const reasons = ['abandoned', 'duplicate', 'requested_by_customer'] as const
      return cancelSetupIntent(context, await needIntent(context), context.form.oneOf('cancellation_reason', reasons) ?? null)
    },
  },
]

async function needIntent(context: Context): Promise<Stripe.SetupIntent> {
  const intent = await context.store.need('setup_intent', context.params['id'] ?? '')
  checkClientSecret(context, intent.client_secret)
  return intent
}

async function confirm(context: Context, given: Stripe.SetupIntent): Promise<Stripe.SetupIntent> {
  if (typeof given.payment_method !== 'string') {
    const message = "You cannot confirm this SetupIntent because it's missing a payment method."
    throw invalid(message, { code: 'setup_intent_unexpected_state', setup_intent: given })
  }
  const returnUrl = context.form.text('return_url')
  const { intent, error } = await setUp(context, given, { paymentMethod: given.payment_method, returnUrl })
  if (error) throw error
  return intent
}

async function readFields(context: Context, old: Pick<Stripe.SetupIntent, 'metadata'>): Promise<Partial<Stripe.SetupIntent>> {
  const { form, store } = context
  const fields: Partial<Stripe.SetupIntent> = { metadata: mergeMetadata(old.metadata, form.map('metadata')) }
  const customer = form.text('customer')
  if (customer) fields.customer = (await store.need('customer', customer, 'customer')).id
  const description = form.nullable('description')
  if (description !== undefined) fields.description = description
  const allowed = form.texts('allowed_payment_method_types')
  if (allowed) {
    fields.allowed_payment_method_types = allowed
    fields.payment_method_types = allowed
  }
  const automatic = form.child('automatic_payment_methods')
  if (automatic?.flag('enabled')) {
    const allow_redirects = automatic.oneOf('allow_redirects', ['always', 'never'] as const) ?? 'always'
    fields.automatic_payment_methods = { allow_redirects, enabled: true }
  }
  const method = form.text('payment_method')
  const typed = form.child('payment_method_data')
  if (method) fields.payment_method = (await findPaymentMethod(context, method)).id
  if (typed) fields.payment_method = (await makePaymentMethod(context, typed)).id
  return fields
}
