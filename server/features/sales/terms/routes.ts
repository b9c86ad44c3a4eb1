import type { FastifyInstance } from 'fastify'
import { adminTermsEndpoints } from '#contract/sales/terms.ts'
import type { Db } from '#server/db/db.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { grantTerms } from '#server/features/sales/terms/deferred-terms.ts'
import { liftStrike, strikesOf } from '#server/features/sales/terms/strikes.ts'
import { refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'

export function adminTermsRoutes(app: FastifyInstance, deps: { db: Db; readSetting: ReadSetting }): void {
  serve(app, adminTermsEndpoints, {
    'PUT /api/v1/admin/users/{id}/deferred-terms': async ({ params, body, audit }) => {
      const { days, limit } = body
      if ((days === null) !== (limit === null))
        throw refuseField(days === null ? 'days' : 'limit', 'Give the days and the limit, or neither')
      return { data: await grantTerms(deps.db, audit, params.id, { days, limit }) }
    },

    'GET /api/v1/admin/users/{id}/strikes': async ({ params }) => ({ data: await strikesOf(deps.db, params.id) }),

    'DELETE /api/v1/admin/strikes/{id}': async ({ params, audit }) => ({ data: await liftStrike(deps, audit, params.id) }),
  })
}
