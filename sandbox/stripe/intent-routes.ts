import type Stripe from 'stripe'
import { checkClientSecret } from '#sandbox/stripe/access.ts'
import { mergeMetadata } from '#sandbox/stripe/form.ts'
import type { Kinds } from '#sandbox/stripe/kinds.ts'
import { listOf } from '#sandbox/stripe/lists.ts'
import { findPaymentMethod, makePaymentMethod } from '#sandbox/stripe/payment-method-make.ts'
import type { Context, Intent, Route } from '#sandbox/stripe/route.ts'

// What an intent to pay and an intent to save a card have in common.

type IntentKind = 'payment_intent' | 'setup_intent'

/** They are listed, and shown to whoever has their secret. */
export const lookingRoutes = (kind: IntentKind): Route[] => [
  {
    method: 'GET',
    path: `/v1/${kind}s`,
    handle: async (context) => {
      const customer = context.form.text('customer')
      return listOf(context, kind, customer ? { customer } : {})
    },
  },
  { method: 'GET', path: `/v1/${kind}s/:id`, access: 'browser', handle: (context) => needIntent(context, kind) },
]

export async function needIntent<Kind extends IntentKind>(context: Context, kind: Kind): Promise<Kinds[Kind]> {
  const intent = await context.store.need(kind, context.params['id'] ?? '')
  checkClientSecret(context, intent.client_secret)
  return intent
}

type Common =
  | 'metadata'
  | 'customer'
  | 'description'
  | 'allowed_payment_method_types'
  | 'payment_method_types'
  | 'automatic_payment_methods'
  | 'payment_method'
type CommonFields = Partial<Pick<Stripe.PaymentIntent, Common> & Pick<Stripe.SetupIntent, Common>>

/** The parameters that create, update and confirm take. */
export async function commonFields(context: Context, old: Pick<Intent, 'metadata'>): Promise<CommonFields> {
  const { form, store } = context
  const fields: CommonFields = { metadata: mergeMetadata(old.metadata, form.map('metadata')) }
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
