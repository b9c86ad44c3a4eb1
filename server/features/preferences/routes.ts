import type { FastifyInstance } from 'fastify'
import { preferenceEndpoints } from '#contract/market/preferences.ts'
import { sentences } from '#contract/values/sentences.ts'
import type { Db } from '#server/db/db.ts'
import { findListings, showListings } from '#server/features/listings/public.ts'
import { findPreferences, savePreferences } from '#server/features/preferences/actions.ts'
import { findForYou } from '#server/features/preferences/listings.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { serve } from '#server/http/serve.ts'

export function preferenceRoutes(app: FastifyInstance, { db, readSetting }: { db: Db; readSetting: ReadSetting }): void {
  serve(app, preferenceEndpoints, {
    'GET /api/v1/auth/marketplace/preferences': async ({ viewer }) => ({ data: await findPreferences(db, viewer.user) }),

    'POST /api/v1/auth/marketplace/preferences': async ({ body, viewer }) => {
      await savePreferences(db, viewer.user, body)
      return { message: sentences.materialPreferencesUpdated, data: await findPreferences(db, viewer.user) }
    },

    'GET /api/v1/listings/for-you': async ({ viewer }) => {
      const rows = await findListings(db, await findForYou(db, viewer.user.id), viewer.user.id)
      return { data: await showListings(db, readSetting, rows, viewer.user.id) }
    },
  })
}
