import type { FastifyInstance } from 'fastify'
import { adminPaymentEndpoints } from '#contract/payments.ts'
import type { Db } from '#server/db/db.ts'
import { findCoupon, redemptionsOf, type CouponRow } from '#server/features/subscription/queries.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'

export function adminCouponRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const shown = async (coupon: CouponRow) => ({
    code: coupon.code,
    percent_off: coupon.percent_off === null ? null : Number(coupon.percent_off),
    amount_off: coupon.amount_off,
    duration: coupon.duration as 'once' | 'repeating' | 'forever',
    duration_in_months: coupon.duration_in_months,
    max_redemptions: coupon.max_redemptions,
    redeem_by: coupon.redeem_by?.toISOString() ?? null,
    times_redeemed: await redemptionsOf(db, coupon.id),
    is_active: coupon.is_active,
    created_at: coupon.created_at.toISOString(),
  })

  serve(app, adminPaymentEndpoints, {
    'GET /api/v1/admin/coupons': async () => {
      const rows = await db.selectFrom('coupons').selectAll().orderBy('created_at', 'desc').execute()
      return { data: await Promise.all(rows.map(shown)) }
    },

    'POST /api/v1/admin/coupons': async ({ body, audit }) => {
      if ((body.percent_off == null) === (body.amount_off == null))
        throw refuseField('percent_off', 'Give a percentage or an amount, one of them')
      if ((body.duration === 'repeating') !== (body.duration_in_months != null))
        throw refuseField('duration_in_months', 'Say for how many months it repeats, and only then')
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('coupons')
          .values({ ...body, code: body.code, redeem_by: body.redeem_by ? new Date(body.redeem_by) : null })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (!row) throw refuseField('code', 'There is a coupon with this code already')
        const coupon = { ...(await shown(row)), times_redeemed: 0 }
        await audit.write(tx, { details: body })
        return { data: coupon }
      })
    },

    'DELETE /api/v1/admin/coupons/{code}': async ({ params, audit }) => {
      const coupon = await findCoupon(db, params.code)
      if (!coupon) throw notFound()
      await db.transaction().execute(async (tx) => {
        await tx.updateTable('coupons').set({ is_active: false }).where('id', '=', coupon.id).execute()
        await audit.write(tx, { details: { code: coupon.code } })
      })
      return { message: 'The coupon is out of use. Who has it keeps it.' }
    },
  })
}
