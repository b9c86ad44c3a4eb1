import type { FastifyInstance } from 'fastify'
import { payingEndpoints } from '#contract/sales/paying.ts'
import type { SalePayment } from '#contract/listings.ts'
import { gbp } from '#domain/format.ts'
import { confirmFee } from '#server/features/paying/hold.ts'
import { pay, payAgain, type PayDeps, type StoredPay } from '#server/features/paying/pay.ts'
import type { PaymentRow } from '#server/features/paying/payments.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'
import { providerIsAway } from '#server/providers/payment.ts'

export function payingRoutes(app: FastifyInstance, deps: PayDeps): void {
  const { db } = deps
  serve(app, payingEndpoints, {
    'POST /api/v1/listings/{id}/pay': async ({ params, body, viewer, request }) => {
      const { user } = viewer
      const payment = await answerOnce<StoredPay, PaymentRow>(
        db,
        { request, userId: user.id },
        {
          work: (once) => pay(deps, { listingId: params.id, method: body?.method, person: user, once }),
          again: (kept) => payAgain(deps, kept, user),
        },
      )
      return { data: presentPay(payment) }
    },

    'POST /api/v1/listings/{id}/holding-fee': async ({ params, viewer }) => {
      await takeAttempt(db, 'provider_read', viewer.user.id)
      return { data: { client_secret: await confirmFee(deps, { listingId: params.id, userId: viewer.user.id }) } }
    },
  })
}

/** The amount is what is still to be paid of it. */
function presentPay({ client_secret, amount, received, bank_details }: PaymentRow) {
  if (client_secret === null) throw providerIsAway()
  return { client_secret, amount: gbp(amount - received), bank_details: bank_details as SalePayment['bank_details'] }
}
