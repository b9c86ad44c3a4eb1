import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { letters } from '#sandbox/stripe/engine/store.ts'

export const couponRoutes: Route[] = [
  { method: 'POST', path: '/v1/coupons', handle: createCoupon },
  {
    method: 'GET',
    path: '/v1/coupons',
    handle: async (context) => {
      const list = await listOf(context, 'coupon')
      return { ...list, data: list.data.map((coupon) => asOf(context.now, coupon)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/coupons/:id',
    handle: async ({ store, params, now }) => asOf(now, await store.need('coupon', params['id'] ?? '')),
  },
  {
    method: 'POST',
    path: '/v1/coupons/:id',
    handle: async ({ store, params, form, now, emit }) => {
      const old = await store.need('coupon', params['id'] ?? '')
      const name = form.nullable('name')
      const metadata = mergeMetadata(old.metadata, form.map('metadata'))
      const changed = asOf(now, await store.put('coupon', { ...old, metadata, ...(name !== undefined && { name }) }))
      await emit('coupon.updated', changed)
      return changed
    },
  },
  {
    method: 'DELETE',
    path: '/v1/coupons/:id',
    handle: async ({ store, params, emit }) => {
      const coupon = await store.need('coupon', params['id'] ?? '')
      await store.remove('coupon', coupon.id)
      await emit('coupon.deleted', coupon)
      return { id: coupon.id, object: 'coupon', deleted: true } satisfies Stripe.DeletedCoupon
    },
  },
]

/** The coupon, if one more may redeem it now. The count goes up under the sandbox's one lock, so never past its limit. */
export async function redeem({ store, now, emit }: Work, id: string, param: string): Promise<Stripe.Coupon> {
  const coupon = await store.get('coupon', id)
  if (!coupon) throw invalid(`No such coupon: '${id}'`, { code: 'resource_missing', param })
  if (!isValid(now, coupon)) throw invalid(`Coupon ${id} is expired and cannot be applied.`, { code: 'coupon_expired', param })
  const redeemed = asOf(now, await store.put('coupon', { ...coupon, times_redeemed: coupon.times_redeemed + 1 }))
  await emit('coupon.updated', redeemed, { previous: { times_redeemed: coupon.times_redeemed } })
  return redeemed
}

async function createCoupon({ store, form, now, emit }: Context): Promise<Stripe.Coupon> {
  const id = form.text('id') ?? letters(8)
  if (await store.get('coupon', id)) throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
  if ((form.text('name') ?? '').length > 40) throw invalid('Invalid string: name must be at most 40 characters', { param: 'name' })
  const percent = form.text('percent_off')
  const percent_off = percent === undefined ? null : Number(percent)
  const amount_off = form.integer('amount_off') ?? null
  const duration = form.oneOf('duration', ['forever', 'once', 'repeating']) ?? 'once'
  const months = form.integer('duration_in_months') ?? null
  if ((percent_off === null) === (amount_off === null)) throw invalid('You must pass either `amount_off` or `percent_off`, not both.')
  if (percent_off !== null && !(percent_off > 0 && percent_off <= 100)) {
    throw invalid('Coupon percent_off must be larger than 0 and at most 100.', { param: 'percent_off' })
  }
  if (amount_off !== null && amount_off < 1) throw invalid('This value must be greater than or equal to 1.', { param: 'amount_off' })
  if ((duration === 'repeating') !== (months !== null && months > 0)) {
    throw invalid('duration_in_months is required when duration is repeating, and only then.', { param: 'duration_in_months' })
  }
  const coupon: Stripe.Coupon = {
    id,
    object: 'coupon',
    amount_off,
    created: now,
    currency: amount_off === null ? null : form.required('currency').toLowerCase(),
    duration,
    duration_in_months: months,
    livemode: false,
    max_redemptions: form.integer('max_redemptions') ?? null,
    metadata: mergeMetadata({}, form.map('metadata')),
    name: form.text('name') ?? null,
    percent_off,
    redeem_by: form.integer('redeem_by') ?? null,
    times_redeemed: 0,
    valid: true,
  }
  await store.put('coupon', coupon)
  await emit('coupon.created', coupon)
  return coupon
}

const asOf = (now: number, coupon: Stripe.Coupon): Stripe.Coupon => ({ ...coupon, valid: isValid(now, coupon) })

const isValid = (now: number, { max_redemptions, times_redeemed, redeem_by }: Stripe.Coupon) =>
  (max_redemptions === null || times_redeemed < max_redemptions) && (redeem_by === null || now < redeem_by)
