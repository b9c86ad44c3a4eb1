import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { findPaymentMethod } from '#sandbox/stripe/payments/payment-method-make.ts'
import { attach } from '#sandbox/stripe/payments/payment-methods.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { letters, newId } from '#sandbox/stripe/engine/store.ts'

export const customerRoutes: Route[] = [
  { method: 'POST', path: '/v1/customers', handle: createCustomer },
  {
    method: 'GET',
    path: '/v1/customers',
    handle: async (context) => {
      const email = context.form.text('email')
      return listOf(context, 'customer', email ? { email } : {})
    },
  },
  { method: 'GET', path: '/v1/customers/:id', handle: retrieveCustomer },
  {
    method: 'POST',
    path: '/v1/customers/:id',
    handle: async ({ store, params, form, emit }) => {
      const old = await store.need('customer', params['id'] ?? '')
      const changed = await store.put('customer', { ...old, ...fields(form, old) })
      const method = changed.invoice_settings.default_payment_method
      if (typeof method === 'string') {
        const { customer } = await store.need('payment_method', method, 'invoice_settings[default_payment_method]')
        if (customer !== old.id) {
          throw invalid('The customer does not have a payment method with that ID attached.', {
            param: 'invoice_settings[default_payment_method]',
          })
        }
      }
      await emit('customer.updated', changed)
      return changed
    },
  },
]

async function createCustomer(context: Context): Promise<Stripe.Customer> {
  const { store, form, now, emit } = context
  const blank: Stripe.Customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: letters(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
  const customer = await store.put('customer', { ...blank, ...fields(form, blank) })
  const given = form.text('payment_method')
  if (given) await attach(context, await findPaymentMethod(context, given), customer.id)
  form.allow('test_clock', 'tax')
  await emit('customer.created', customer)
  return customer
}

async function retrieveCustomer({ store, params }: Context): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
  const id = params['id'] ?? ''
  const deleted = await store.get('hidden.deleted', id)
  return deleted?.object === 'customer' ? { id, object: 'customer', deleted: true } : store.need('customer', id)
}

function fields(form: Form, old: Stripe.Customer): Partial<Stripe.Customer> {
  const changed: Partial<Stripe.Customer> = { metadata: mergeMetadata(old.metadata, form.map('metadata')) }
  for (const name of ['email', 'name', 'phone', 'description'] as const) {
    const value = form.nullable(name)
    if (value !== undefined) changed[name] = value
  }
  const balance = form.integer('balance')
  if (balance !== undefined) changed.balance = balance
  const address = form.child('address')
  if (address) changed.address = addressOf(address)
  const locales = form.texts('preferred_locales')
  if (locales) changed.preferred_locales = locales
  const invoices = form.child('invoice_settings')
  const method = invoices?.nullable('default_payment_method')
  if (method !== undefined) changed.invoice_settings = { ...old.invoice_settings, default_payment_method: method }
  const shipping = form.child('shipping')
  if (shipping) {
    const to = shipping.child('address')
    changed.shipping = { name: shipping.required('name'), phone: shipping.nullable('phone') ?? null, ...(to && { address: addressOf(to) }) }
  }
  return changed
}

const addressOf = (form: Form): Stripe.Address => ({
  city: form.nullable('city') ?? null,
  country: form.nullable('country') ?? null,
  line1: form.nullable('line1') ?? null,
  line2: form.nullable('line2') ?? null,
  postal_code: form.nullable('postal_code') ?? null,
  state: form.nullable('state') ?? null,
})
