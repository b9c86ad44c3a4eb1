import type { FastifyInstance } from 'fastify'
import type { BusinessActivity } from '#contract/values/business.ts'
import { subscriptionEndpoints } from '#contract/payments.ts'
import { sentences } from '#contract/values/sentences.ts'
import { gbp } from '#domain/format.ts'
import { freeTier, shownStatus } from '#domain/subscription.ts'
import { readNow } from '#server/db/clock.ts'
import { presentCard, setupIntentFor } from '#server/features/payments/public.ts'
import { cancel, changePlan, reactivate, useCard } from '#server/features/subscription/change.ts'
import { validateCoupon } from '#server/features/subscription/coupons.ts'
import { downloadRoute } from '#server/features/subscription/download.ts'
import { listInvoices } from '#server/features/subscription/invoices.ts'
import { presentSubscription } from '#server/features/subscription/present.ts'
import { cardOnFile, couponOf, creditOf, liveOf, type SubscriptionRow } from '#server/features/subscription/queries.ts'
import {
  showAgain,
  subscribe,
  trialFor,
  type StoredSubscription,
  type Subscribed,
  type SubscriptionDeps,
} from '#server/features/subscription/subscribe.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { providerIsAway } from '#server/providers/payment.ts'
import { refuse } from '#server/http/errors.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'
import type { SessionUser } from '#server/http/session.ts'

export function subscriptionRoutes(app: FastifyInstance, deps: SubscriptionDeps): void {
  const { db, readSetting } = deps
  const shown = async (row: SubscriptionRow, user: SessionUser) =>
    presentSubscription(row, {
      coupon: await couponOf(db, row.coupon_id),
      credit: await creditOf(db, user.id),
      activity: user.business_activity as BusinessActivity | null,
      now: await readNow(db),
    })
  const trialOf = async (user: SessionUser) => trialFor(db, { user, begun: await liveOf(db, user.id), readSetting })
  const changed = async ({ row, clientSecret }: Subscribed, user: SessionUser, message: string) => ({
    data: await shown(row, user),
    client_secret: clientSecret,
    message,
  })

  serve(app, subscriptionEndpoints, {
    'GET /api/v1/stripe/setup-intent': async ({ viewer }) => {
      await takeAttempt(db, 'provider_read', viewer.user.id)
      return { data: { client_secret: await setupIntentFor(deps, viewer.user.id, 'subscription') } }
    },

    'POST /api/v1/stripe/attach-payment-method': async ({ body, viewer }) => {
      const card = await useCard(deps, viewer.user.id, { cardId: body.payment_method, address: body.address })
      const data = presentCard(card, await readNow(db))
      if (!data) throw providerIsAway()
      return { data, message: sentences.cardAdded }
    },

    'POST /api/v1/stripe/subscription': async ({ body, viewer, request }) => {
      const { user } = viewer
      if (body.plan_id !== 'full')
        throw refuse('conflict', 'This plan costs nothing: there is nothing to subscribe to.', { code: 'plan_is_free' })
      const subscribed = await answerOnce<StoredSubscription, Subscribed>(
        db,
        { request, userId: user.id },
        {
          work: (once) =>
            subscribe(deps, { userId: user.id, couponCode: body.coupon_code ?? null, shownPayment: body.shown_payment, once }),
          again: ({ subscription_id }) => showAgain(deps, subscription_id),
        },
      )
      const data = { client_secret: subscribed.clientSecret, subscription: await shown(subscribed.row, user) }
      return { data, client_secret: subscribed.clientSecret }
    },

    'GET /api/v1/stripe/subscription': async ({ viewer }) => {
      const row = await liveOf(db, viewer.user.id)
      return { data: row ? await shown(row, viewer.user) : null }
    },

    'PATCH /api/v1/stripe/subscription': async ({ body, viewer }) =>
      changed(await changePlan(deps, viewer.user, body.plan_id), viewer.user, sentences.subscriptionUpdated),

    'POST /api/v1/stripe/subscription/delete': async ({ viewer }) => {
      const row = await cancel(deps, viewer.user.id)
      return changed({ row, clientSecret: null }, viewer.user, sentences.subscriptionCancelled)
    },

    'POST /api/v1/stripe/subscription/reactivate': async ({ viewer }) => {
      const row = await reactivate(deps, viewer.user.id)
      return changed({ row, clientSecret: null }, viewer.user, sentences.subscriptionReactivated)
    },

    'GET /api/v1/stripe/subscription/plans': async ({ query, viewer }) => {
      const free = freeTier(viewer.user.business_activity as BusinessActivity | null)
      const price = await readSetting(db, 'subscription_price')
      const plans = [
        { id: 'full', tier: 'full' as const, name: 'Full', price: gbp(price) },
        { id: free, tier: free, name: free === 'seller' ? 'Seller' : 'Basic', price: gbp(0) },
      ]
      const live = await liveOf(db, viewer.user.id)
      const current = live && shownStatus(live) !== 'incomplete' ? 'full' : viewer.user.tier
      const data = plans.map((plan) => ({ ...plan, interval: 'month' as const, is_current_plan: plan.tier === current }))
      const subscribing = {
        trial_ends_at: (await trialOf(viewer.user))?.ends.toISOString() ?? null,
        credit: gbp(viewer.user.subscription_credit),
        card: presentCard(await cardOnFile(db, viewer.user), await readNow(db)),
      }
      return {
        data: query.page === 1 ? data : [],
        subscribing,
        meta: { current_page: query.page, last_page: 1, per_page: 20, total: data.length },
      }
    },

    'POST /api/v1/stripe/subscription/coupons/validate': async ({ body, viewer }) => {
      await takeAttempt(db, 'coupon', viewer.user.id)
      return {
        data: await validateCoupon(db, {
          code: body.code,
          userId: viewer.user.id,
          trial: await trialOf(viewer.user),
          price: await readSetting(db, 'subscription_price'),
        }),
      }
    },

    'GET /api/v1/stripe/subscription/invoices': async ({ query, viewer }) => {
      const { rows, meta } = await listInvoices(db, viewer.user.id, query.page)
      return {
        data: rows.map((row) => ({
          id: row.id,
          number: row.number,
          status: row.status as 'open' | 'paid' | 'uncollectible' | 'void',
          total: gbp(row.total),
          amount_due: gbp(row.status === 'open' ? row.amount_due - row.amount_paid : 0),
          period_start: row.period_start.toISOString(),
          period_end: row.period_end.toISOString(),
          created_at: row.created_at.toISOString(),
        })),
        meta,
      }
    },
  })

  downloadRoute(app, deps)
}
