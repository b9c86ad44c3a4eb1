import type Stripe from 'stripe'
import { checkClientSecret } from '#sandbox/stripe/http/access.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import type { Kinds } from '#sandbox/stripe/engine/kinds.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { findPaymentMethod, makePaymentMethod } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Context, Intent, Route } from '#sandbox/stripe/engine/route.ts'

// What an intent to pay and an intent to save a card have in common.

type IntentKind = 'payment_intent' | 'setup_intent'

/** Where the two differ. */
type IntentApi<Kind extends IntentKind> = {
  /** Parameters that are accepted and have no effect here, or are read while confirming. */
  accepts: { create: string[]; confirm: string[] }
  create: (context: Context) => Promise<Kinds[Kind]>
  update: (context: Context, intent: Kinds[Kind]) => Promise<Kinds[Kind]>
  /** Refuses an intent that is past confirming. */
  needUnconfirmed: (intent: Kinds[Kind]) => void
  readFields: (context: Context, intent: Kinds[Kind]) => Promise<Partial<Kinds[Kind]>>
  confirm: (context: Context, intent: Kinds[Kind]) => Promise<Kinds[Kind]>
  cancel: (context: Context, intent: Kinds[Kind]) => Promise<Kinds[Kind]>
}

/** Create, list, show, update, confirm and cancel. A browser may show and confirm with the intent's client secret. */
export function intentRoutes<Kind extends IntentKind>(kind: Kind, api: IntentApi<Kind>): Route[] {
  const path = `/v1/${kind}s`
  return [
    {
      method: 'POST',
      path,
      handle: async (context) => {
        const intent = await api.create(context)
        context.form.allow('confirm', ...api.accepts.create)
        return context.form.flag('confirm') ? api.confirm(context, intent) : intent
      },
    },
    {
      method: 'GET',
      path,
      handle: async (context) => {
        const customer = context.form.text('customer')
        return listOf(context, kind, customer ? { customer } : {})
      },
    },
    { method: 'GET', path: `${path}/:id`, access: 'browser', handle: (context) => needIntent(context, kind) },
    { method: 'POST', path: `${path}/:id`, handle: async (context) => api.update(context, await needIntent(context, kind)) },
    {
      method: 'POST',
      path: `${path}/:id/confirm`,
      access: 'browser',
      handle: async (context) => {
        const intent = await needIntent(context, kind)
        api.needUnconfirmed(intent)
        context.form.allow(...api.accepts.confirm)
        return api.confirm(context, { ...intent, ...(await api.readFields(context, intent)) })
      },
    },
    { method: 'POST', path: `${path}/:id/cancel`, handle: async (context) => api.cancel(context, await needIntent(context, kind)) },
  ]
}

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
