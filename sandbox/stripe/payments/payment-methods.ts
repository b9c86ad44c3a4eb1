import type Stripe from 'stripe'
import { cardError, invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { behaviourOf, billingDetails, findPaymentMethod, makePaymentMethod } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Route, Work } from '#sandbox/stripe/engine/route.ts'

export const paymentMethodRoutes: Route[] = [
  { method: 'POST', path: '/v1/payment_methods', access: 'browser', handle: (context) => makePaymentMethod(context, context.form) },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    handle: async (context) => {
      const customer = context.form.text('customer')
      const type = context.form.text('type')
      return listOf(context, 'payment_method', { customer: customer ?? null, ...(type && { type }) })
    },
  },
  { method: 'GET', path: '/v1/payment_methods/:id', handle: ({ store, params }) => store.need('payment_method', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id',
    handle: async ({ store, params, form, emit }) => {
      const method = await store.need('payment_method', params['id'] ?? '')
      if (!method.customer) throw invalid('You must save this PaymentMethod to a customer before you can update it.')
      const card = form.child('card')
      const changed: Stripe.PaymentMethod = {
        ...method,
        metadata: mergeMetadata(method.metadata, form.map('metadata')),
        billing_details: billingDetails(form, method.billing_details),
      }
      if (method.card) {
        const { exp_month, exp_year } = method.card
        changed.card = {
          ...method.card,
          exp_month: card?.integer('exp_month') ?? exp_month,
          exp_year: card?.integer('exp_year') ?? exp_year,
        }
      }
      form.allow('allow_redisplay')
      await store.put('payment_method', changed)
      await emit('payment_method.updated', changed)
      return changed
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    handle: async (context) => {
      const method = await findPaymentMethod(context, context.params['id'] ?? '', 'payment_method')
      const { id } = await context.store.need('customer', context.form.required('customer'), 'customer')
      const { decline } = await behaviourOf(context, method)
      if (decline) throw cardError({ ...decline })
      return attach(context, method, id)
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    handle: async (context) => {
      const method = await context.store.need('payment_method', context.params['id'] ?? '')
      if (!method.customer) throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.')
      return detach(context, method)
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    handle: async (context) => {
      const { id } = await context.store.need('customer', context.params['id'] ?? '')
      const type = context.form.text('type')
      return listOf(context, 'payment_method', { customer: id, ...(type && { type }) })
    },
  },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods/:method',
    handle: async ({ store, params }) => store.need('payment_method', params['method'] ?? ''),
  },
]

/** Saves a payment method for a customer's later payments. A second time changes nothing. */
export async function attach(work: Work, method: Stripe.PaymentMethod, customer: string): Promise<Stripe.PaymentMethod> {
  if (method.customer === customer) return method
  if (method.customer) throw invalid('The payment method you provided has already been attached to a customer.')
  const checks = method.card?.checks && {
    ...method.card.checks,
    cvc_check: method.card.checks.cvc_check === null ? null : ('pass' as const),
  }
  const attached = { ...method, customer, ...(method.card && { card: { ...method.card, checks: checks ?? null } }) }
  await work.store.put('payment_method', attached)
  await work.emit('payment_method.attached', attached)
  return attached
}

/** Takes it from the customer for good, and from what the customer's invoices are paid with. */
export async function detach(work: Work, method: Stripe.PaymentMethod): Promise<Stripe.PaymentMethod> {
  const { store, emit } = work
  const owner = typeof method.customer === 'string' ? await store.get('customer', method.customer) : undefined
  if (owner?.invoice_settings.default_payment_method === method.id) {
    await store.put('customer', { ...owner, invoice_settings: { ...owner.invoice_settings, default_payment_method: null } })
  }
  const detached = await store.put('payment_method', { ...method, customer: null })
  await emit('payment_method.detached', detached, { previous: { customer: method.customer } })
  return detached
}
