import type { FastifyInstance } from 'fastify'
import { savedSearchEndpoints } from '#contract/saved-searches.ts'
import type { Deps } from '#server/deps.ts'
import { findListing, showListing } from '#server/features/listings/actions.ts'
import { saveSearch, unwatchListing, watchListing } from '#server/features/saved-searches/actions.ts'
import { deleteSavedSearch, findSavedSearches } from '#server/features/saved-searches/queries.ts'
import { notFound } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function savedSearchRoutes(app: FastifyInstance, { db, readSetting }: Deps): void {
  const visible = async (id: string, viewerId: string) => {
    const row = await findListing(db, id, viewerId)
    if (!row) throw notFound()
    return row
  }
  const shown = async (id: string, viewerId: string) => ({
    data: await showListing(db, readSetting, await visible(id, viewerId), viewerId),
  })

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
      const { id } = await visible(params.id, viewer.user.id)
      await watchListing(db, viewer.user.id, id)
      return shown(id, viewer.user.id)
    },

    'DELETE /api/v1/listings/{id}/watch': async ({ params, viewer }) => {
      if (!isUuid(params.id)) throw notFound()
      // also one that was taken down since: it goes off the list, and then it is not there
      await unwatchListing(db, viewer.user.id, params.id)
      return shown(params.id, viewer.user.id)
    },
  })
}
