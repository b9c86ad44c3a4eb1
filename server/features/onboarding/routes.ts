import type { FastifyInstance } from 'fastify'
import { onboardingEndpoints } from '#contract/onboarding.ts'
import type { Db } from '#server/db/db.ts'
import { presentUserLite } from '#server/features/account/public.ts'
import { dismissBenefits, moveTo, profileOf, saveProfile } from '#server/features/onboarding/actions.ts'
import { serve } from '#server/http/serve.ts'

export function onboardingRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  serve(app, onboardingEndpoints, {
    'POST /api/v1/auth/onboard-user': async ({ body, viewer }) => ({
      data: presentUserLite(await moveTo(db, viewer.user.id, body.stage)),
    }),

    'POST /api/v1/auth/me/dismiss-benefits': async ({ viewer }) => ({ data: presentUserLite(await dismissBenefits(db, viewer.user.id)) }),

    'GET /api/v1/onboarding/profile': async ({ viewer }) => ({ data: await profileOf(db, viewer.user) }),

    'POST /api/v1/onboarding/profile': async ({ body, viewer }) => {
      await saveProfile(db, viewer.user.id, body)
      return { data: await profileOf(db, viewer.user) }
    },
  })
}
