import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import { createPrice } from '#sandbox/stripe/billing/prices.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

export const productRoutes: Route[] = [
  { method: 'POST', path: '/v1/products', handle: createProduct },
  {
    method: 'GET',
    path: '/v1/products',
    handle: async (context) => {
      const active = context.form.flag('active')
      return listOf(context, 'product', active === undefined ? {} : { active })
    },
  },
  { method: 'GET', path: '/v1/products/:id', handle: ({ store, params }) => store.need('product', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/products/:id',
    handle: async ({ store, params, form, now, emit }) => {
      const old = await store.need('product', params['id'] ?? '')
      const default_price = form.text('default_price')
      if (default_price) await store.need('price', default_price, 'default_price')
      const changed = await store.put('product', { ...old, ...fields(form, old), ...(default_price && { default_price }), updated: now })
      await emit('product.updated', changed)
      return changed
    },
  },
  {
    method: 'DELETE',
    path: '/v1/products/:id',
    handle: async ({ store, params, emit }) => {
      const product = await store.need('product', params['id'] ?? '')
      const prices = await store.find('price', { product: product.id })
      if (prices.length > 0) throw invalid('This product cannot be deleted because it has one or more user-created prices.')
      await store.remove('product', product.id)
      await emit('product.deleted', product)
      return { id: product.id, object: 'product', deleted: true } satisfies Stripe.DeletedProduct
    },
  },
]

async function createProduct(context: Context): Promise<Stripe.Product> {
  const { store, form, now, emit } = context
  const id = form.text('id') ?? newId('prod', 14)
  if (await store.get('product', id)) throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  const blank: Stripe.Product = {
    id,
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: form.required('name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  }
  const product = await store.put('product', { ...blank, ...fields(form, blank) })
  await emit('product.created', product)
  const first = form.child('default_price_data')
  if (!first) return product
  const price = await createPrice(context, first, id)
  return store.put('product', { ...product, default_price: price.id })
}

function fields(form: Form, old: Stripe.Product): Partial<Stripe.Product> {
  const changed: Partial<Stripe.Product> = { metadata: mergeMetadata(old.metadata, form.map('metadata')) }
  changed.name = form.text('name') ?? old.name
  changed.active = form.flag('active') ?? old.active
  changed.images = form.texts('images') ?? old.images
  for (const name of ['description', 'statement_descriptor', 'tax_code', 'unit_label', 'url'] as const) {
    const value = form.nullable(name)
    if (value !== undefined) changed[name] = value
  }
  form.allow('type', 'shippable')
  return changed
}
