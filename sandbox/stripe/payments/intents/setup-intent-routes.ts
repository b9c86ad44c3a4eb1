import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { commonFields, intentRoutes } from '#sandbox/stripe/payments/intents/intent-routes.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { cancelSetupIntent, createSetupIntent, setUp } from '#sandbox/stripe/payments/intents/setup-intents.ts'

export const setupIntentRoutes: Route[] = intentRoutes('setup_intent', {
  accepts: {
    create: ['return_url', 'use_stripe_sdk', 'mandate_data'],
    confirm: ['return_url', 'use_stripe_sdk', 'mandate_data'],
  },
  create: async (context) => {
    const usage = context.form.oneOf('usage', ['off_session', 'on_session'] as const)
    const card = context.form.child('payment_method_options')?.child('card')
    const request_three_d_secure = card?.oneOf('request_three_d_secure', ['any', 'automatic', 'challenge'] as const)
    return createSetupIntent(context, {
      ...(await commonFields(context, { metadata: {} })),
      ...(usage && { usage }),
      ...(request_three_d_secure && {
        payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure } },
      }),
    })
  },
  update: async (context, intent) => context.store.put('setup_intent', { ...intent, ...(await commonFields(context, intent)) }),
  needUnconfirmed: (intent) => {
    if (intent.status !== 'succeeded' && intent.status !== 'canceled') return
    const message = `You cannot confirm this SetupIntent because it has already ${intent.status === 'succeeded' ? 'succeeded' : 'been canceled'}.`
    throw invalid(message, { code: 'setup_intent_unexpected_state', setup_intent: intent })
  },
  readFields: commonFields,
  confirm,
  cancel: (context, intent) => {
    const reasons = ['abandoned', 'duplicate', 'requested_by_customer'] as const
    return cancelSetupIntent(context, intent, context.form.oneOf('cancellation_reason', reasons) ?? null)
  },
})

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
