import type { FastifyInstance } from 'fastify'
import { paymentAccountEndpoints } from '#contract/payments.ts'
import { readNow } from '#server/db/clock.ts'
import { accountLink, ensureAccount, loginLink, presentAccount, syncAccount, type PaymentDeps } from '#server/features/payments/account.ts'
import { presentCard, setupIntentFor, syncCards } from '#server/features/payments/cards.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { refuse } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import type { SessionUser } from '#server/http/session.ts'

export function paymentRoutes(app: FastifyInstance, deps: PaymentDeps): void {
  const { db } = deps
  const fresh = async (id: string) => {
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    if (!user) throw refuse('unauthenticated', 'Please log in.')
    return user as SessionUser
  }

  serve(app, paymentAccountEndpoints, {
    'POST /api/v1/stripe/create-account': async ({ viewer }) => {
      await ensureAccount(deps, viewer.user.id)
      return { data: presentAccount(await fresh(viewer.user.id)) }
    },

    'GET /api/v1/stripe/account': async ({ viewer }) => {
      await takeAttempt(db, 'provider_read', viewer.user.id)
      if (viewer.user.payment_account_id) await syncAccount(deps, viewer.user.payment_account_id)
      return { data: presentAccount(await fresh(viewer.user.id)) }
    },

    'POST /api/v1/stripe/create-account-link': async ({ viewer }) => {
      await takeAttempt(db, 'provider_link', viewer.user.id)
      return { data: { url: await accountLink(deps, viewer.user.id) } }
    },

    'POST /api/v1/stripe/create-login-link': async ({ viewer }) => {
      await takeAttempt(db, 'provider_link', viewer.user.id)
      return { data: { url: await loginLink(deps, viewer.user) } }
    },

    'GET /api/v1/stripe/holding-fee-payment-method': async ({ viewer }) => {
      await takeAttempt(db, 'provider_read', viewer.user.id)
      // asked right after the browser has saved a card, before the provider's own word of it may have come
      if (viewer.user.provider_customer_id) await syncCards(deps, viewer.user.provider_customer_id)
      const now = await readNow(db)
      const { holding_fee_card_shown } = await fresh(viewer.user.id)
      return { data: presentCard(holding_fee_card_shown, now) }
    },

    'POST /api/v1/stripe/create-holding-fee-setup-intent': async ({ viewer }) => {
      await takeAttempt(db, 'provider_read', viewer.user.id)
      return { data: { client_secret: await setupIntentFor(deps, viewer.user.id, 'holding_fee') } }
    },
  })
}
