import type Stripe from 'stripe'
import { invalid, missingParam } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { emptyList, listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

export const priceRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/prices',
    handle: async (context) => {
      const { id } = await context.store.need('product', context.form.required('product'), 'product')
      return createPrice(context, context.form, id)
    },
  },
  { method: 'GET', path: '/v1/prices', handle: listPrices },
  { method: 'GET', path: '/v1/prices/:id', handle: ({ store, params }) => store.need('price', params['id'] ?? '') },
  {
    method: 'POST',
    path: '/v1/prices/:id',
    handle: async (context) => {
      const { store, params, form, emit } = context
      const old = await store.need('price', params['id'] ?? '')
      const nickname = form.nullable('nickname')
      const lookup_key = form.nullable('lookup_key')
      if (lookup_key) await claimLookupKey(context, form, lookup_key, old.id)
      const changed = await store.put('price', {
        ...old,
        active: form.flag('active') ?? old.active,
        metadata: mergeMetadata(old.metadata, form.map('metadata')),
        ...(nickname !== undefined && { nickname }),
        ...(lookup_key !== undefined && { lookup_key }),
      })
      await emit('price.updated', changed)
      return changed
    },
  },
]

export async function createPrice(work: Work, form: Form, product: string): Promise<Stripe.Price> {
  const unit_amount = form.integer('unit_amount') ?? Number(form.text('unit_amount_decimal') ?? Number.NaN)
  if (!Number.isSafeInteger(unit_amount) || unit_amount < 0) throw missingParam('unit_amount')
  const recurring = form.child('recurring')
  const lookup_key = form.text('lookup_key') ?? null
  if (lookup_key) await claimLookupKey(work, form, lookup_key)
  const price = await work.store.put('price', {
    id: newId('price'),
    object: 'price',
    active: form.flag('active') ?? true,
    billing_scheme: form.oneOf('billing_scheme', ['per_unit']) ?? 'per_unit',
    created: work.now,
    currency: form.required('currency').toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key,
    metadata: mergeMetadata({}, form.map('metadata')),
    nickname: form.text('nickname') ?? null,
    product,
    recurring: recurring ? recurringOf(recurring) : null,
    tax_behavior: form.oneOf('tax_behavior', ['exclusive', 'inclusive', 'unspecified']) ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: decimal(unit_amount),
  })
  await work.emit('price.created', price)
  return price
}

/** On the wire a decimal is text; only the SDK on the other side makes an object of it. */
export const decimal = (amount: number) => String(amount) as unknown as Stripe.Decimal

// the sandbox bills by the month alone, which is all that Yardbid sells
function recurringOf(form: Form): Stripe.Price.Recurring {
  const interval = form.oneOf('interval', ['month'])
  if (!interval) throw missingParam('recurring[interval]')
  return {
    interval,
    interval_count: form.integer('interval_count') ?? 1,
    meter: null,
    trial_period_days: null,
    usage_type: form.oneOf('usage_type', ['licensed']) ?? 'licensed',
  }
}

async function claimLookupKey({ store }: Work, form: Form, lookup_key: string, own?: string): Promise<void> {
  const isTransfer = form.flag('transfer_lookup_key') ?? false
  for (const price of await store.find('price', { lookup_key })) {
    if (price.id === own) continue
    if (!isTransfer) {
      throw invalid(`A price (\`${price.id}\`) already uses that lookup key.`, { code: 'resource_already_exists', param: 'lookup_key' })
    }
    await store.put('price', { ...price, lookup_key: null })
  }
}

async function listPrices(context: Context): Promise<Stripe.ApiList<Stripe.Price>> {
  const { store, form, url } = context
  const active = form.flag('active')
  const product = form.text('product')
  const type = form.oneOf('type', ['one_time', 'recurring'])
  const where = { ...(active !== undefined && { active }), ...(product && { product }), ...(type && { type }) }
  const keys = form.texts('lookup_keys')
  if (!keys) return listOf(context, 'price', where)
  form.allow('limit')
  const found = await Promise.all(keys.map((lookup_key) => store.find('price', { ...where, lookup_key })))
  return { ...emptyList<Stripe.Price>(url.pathname), data: found.flat() }
}
