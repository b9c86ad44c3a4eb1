import type { FastifyInstance } from 'fastify'
import { savedSearchEndpoints } from '#contract/saved-searches.ts'
import type { Db } from '#server/db/db.ts'
import { listingReader } from '#server/features/listings/public.ts'
import { saveSearch, unwatchListing, watchListing } from '#server/features/saved-searches/actions.ts'
import { deleteSavedSearch, findSavedSearches } from '#server/features/saved-searches/queries.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { notFound } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function savedSearchRoutes(app: FastifyInstance, { db, readSetting }: { db: Db; readSetting: ReadSetting }): void {
  const listings = listingReader({ db, readSetting })

  serve(app, savedSearchEndpoints, {
    'GET /api/v1/saved-searches': async ({ viewer }) => ({ data: await findSavedSearches(db, viewer.user.id) }),

    'POST /api/v1/saved-searches': async ({ body, viewer }) => {
      const saved = await saveSearch(db, viewer.user.id, body)
      if (!saved) throw new Error('what was saved can be read')
      return { data: saved }
    },

    'DELETE /api/v1/saved-searches/{id}': async ({ params, viewer }) => {
      if (!isUuid(params.id) || !(await deleteSavedSearch(db, viewer.user.id, params.id))) throw notFound()
    },

    'PUT /api/v1/listings/{id}/watch': async ({ params, viewer }) => {
      const { id } = await listings.find(params.id, viewer.user.id)
      await watchListing(db, viewer.user.id, id)
      return { data: await listings.show(id, viewer.user.id) }
    },

    'DELETE /api/v1/listings/{id}/watch': async ({ params, viewer }) => {
      if (!isUuid(params.id)) throw notFound()
      // also one that was taken down since: it goes off the list, and then it is not there
      await unwatchListing(db, viewer.user.id, params.id)
      return { data: await listings.show(params.id, viewer.user.id) }
    },
  })
}
