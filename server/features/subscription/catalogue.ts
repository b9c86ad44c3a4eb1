import type { Stripe } from 'stripe'
import type { Db } from '#server/db/db.ts'
import { keyFor, lockSource, reserveCall, type Provider } from '#server/features/payments/public.ts'
import type { CouponRow } from '#server/features/subscription/queries.ts'

// What is sold, as the provider knows it: one product, a price for each amount that the setting has had, our coupons by their ids.

type Deps = { db: Db; provider: Provider }

// of a coupon, at the provider
const NAME_MAX = 40

const PRODUCT = 'yardbid_full'

export async function ensurePrice(deps: Deps, pence: number): Promise<string> {
  await ensure(deps, { kind: 'create_product', key: `product:${PRODUCT}`, params: { id: PRODUCT, name: 'Yardbid full membership' } })
  const lookup_key = `full_${pence}_month`
  const params: Stripe.PriceCreateParams = {
    product: PRODUCT,
    currency: 'gbp',
    unit_amount: pence,
    recurring: { interval: 'month' },
    lookup_key,
  }
  return ensure(deps, { kind: 'create_price', key: `price:${lookup_key}`, params })
}

/** Limits and dates are ours to hold: the provider's coupon has none. */
export function ensureCoupon(deps: Deps, coupon: CouponRow): Promise<string> {
  const { id, code, percent_off, amount_off, duration, duration_in_months } = coupon
  const params = {
    id,
    name: code.slice(0, NAME_MAX),
    duration,
    ...(percent_off !== null && { percent_off: Number(percent_off) }),
    ...(amount_off !== null && { amount_off, currency: 'gbp' }),
    ...(duration_in_months !== null && { duration_in_months }),
  }
  return ensure(deps, { kind: 'create_coupon', key: `coupon:${id}`, params })
}

/** What exists once for everybody: made by the first who needs it. */
async function ensure({ db, provider }: Deps, { kind, key, params }: { kind: string; key: string; params: object }): Promise<string> {
  const done = await db
    .selectFrom('provider_calls')
    .select('provider_id')
    .where((where) => where.or([where('idempotency_key', '=', key), where('idempotency_key', 'like', `${key}:%`)]))
    .where('status', '=', 'done')
    .executeTakeFirst()
  if (done?.provider_id) return done.provider_id
  const callId = await db.transaction().execute(async (tx) => {
    await lockSource(tx, key)
    const own = await keyFor(tx, key)
    const open = await tx.selectFrom('provider_calls').select('id').where('idempotency_key', '=', own).executeTakeFirst()
    return open?.id ?? reserveCall(tx, { kind, key: own, userId: null, params })
  })
  return provider.finish(callId)
}
