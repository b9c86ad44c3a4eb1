import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/errors.ts'
import { commonFields, lookingRoutes, needIntent } from '#sandbox/stripe/intent-routes.ts'
import type { Context, Route } from '#sandbox/stripe/route.ts'
import { cancelSetupIntent, createSetupIntent, setUp } from '#sandbox/stripe/setup-intents.ts'

export const setupIntentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/setup_intents',
    handle: async (context) => {
      const { form } = context
      const usage = form.oneOf('usage', ['off_session', 'on_session'] as const)
      const intent = await createSetupIntent(context, { ...(await commonFields(context, { metadata: {} })), ...(usage && { usage }) })
      form.allow('confirm', 'return_url', 'use_stripe_sdk', 'mandate_data', 'payment_method_options')
      return form.flag('confirm') ? confirm(context, intent) : intent
    },
  },
  ...lookingRoutes('setup_intent'),
  {
    method: 'POST',
    path: '/v1/setup_intents/:id',
    handle: async (context) => {
      const intent = await setupIntent(context)
      return context.store.put('setup_intent', { ...intent, ...(await commonFields(context, intent)) })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    access: 'browser',
    handle: async (context) => {
      const intent = await setupIntent(context)
      if (intent.status === 'succeeded' || intent.status === 'canceled') {
        const message = `You cannot confirm this SetupIntent because it has already ${intent.status === 'succeeded' ? 'succeeded' : 'been canceled'}.`
        throw invalid(message, { code: 'setup_intent_unexpected_state', setup_intent: intent })
      }
      context.form.allow('return_url', 'use_stripe_sdk', 'mandate_data')
      return confirm(context, { ...intent, ...(await commonFields(context, intent)) })
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    handle: async (context) => {
      const reasons = ['abandoned', 'duplicate', 'requested_by_customer'] as const
      return cancelSetupIntent(context, await setupIntent(context), context.form.oneOf('cancellation_reason', reasons) ?? null)
    },
  },
]

const setupIntent = (context: Context) => needIntent(context, 'setup_intent')

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
