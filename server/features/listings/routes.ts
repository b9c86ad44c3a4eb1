import type { FastifyInstance } from 'fastify'
import { listingEndpoints } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { actingWith, takeAction } from '#server/features/sales/act.ts'
import { showListing, showListings } from '#server/features/listings/actions.ts'
import { createListing } from '#server/features/listings/create.ts'
import { searchEnded } from '#server/features/search/ended.ts'
import { searchOf } from '#server/features/search/filter.ts'
import { showMap } from '#server/features/search/map.ts'
import { findListing } from '#server/features/listings/queries.ts'
import { readCursor, writeCursor } from '#server/features/search/search-cursor.ts'
import { searchListings } from '#server/features/search/search-listings.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

export function listingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, searchDb, readSetting } = deps
  const acting = actingWith(deps)
  const one = async (id: string, viewerId: string | null) => {
    const row = await findListing(db, id, viewerId)
    if (!row) throw notFound()
    return { data: await showListing(db, readSetting, row, viewerId) }
  }

  serve(app, listingEndpoints, {
    'GET /api/v1/listings': async ({ query, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      const search = { ...searchOf(query), ending_within: query['filter[ending_within]'], sort: query.sort }
      const order = query['filter[status]'] === 'ended' ? 'ended' : query.sort
      if (order === 'nearest' && !search.near) throw refuseField('filter[post_code]', 'Give a post code to sort by distance.')
      const asked = { search, after: readCursor(order, query.cursor), limit: query.per_page, viewerId }
      const { rows, miles, next } = await (order === 'ended'
        ? searchEnded({ db, searchDb }, asked)
        : searchListings({ db, searchDb }, asked))
      const shown = await showListings(db, readSetting, rows, viewerId)
      return {
        data: shown.map((each) => ({ ...each, location: { ...each.location, distance_miles: wholeMiles(miles.get(each.id)) } })),
        meta: { next_cursor: next ? writeCursor(order, next) : null, prev_cursor: null, per_page: query.per_page },
      }
    },

    'GET /api/v1/listings/map': async ({ query }) => {
      const bounds = query['filter[bounds]']
      const search = { ...searchOf(query), ending_within: query['filter[ending_within]'], box: bounds ? readBounds(bounds) : undefined }
      return { data: await showMap({ db, searchDb }, search) }
    },

    'POST /api/v1/listings': async ({ body, viewer, request }) => {
      const { user } = viewer
      const id = await answerOnce<string, string>(
        db,
        { request, userId: user.id },
        {
          work: ({ remember }) => createListing(db, readSetting, { seller: user, form: body, remember }),
          again: async (made) => made,
        },
      )
      return one(id, user.id)
    },

    'GET /api/v1/listings/{id}': async ({ params, viewer }) => one(params.id, viewer.user?.id ?? null),

    'DELETE /api/v1/listings/{id}': async ({ params, viewer }) => {
      await takeAction(acting, { listingId: params.id, action: 'withdraw', sent: {}, person: viewer.user })
      return one(params.id, viewer.user.id)
    },
  })
}

const wholeMiles = (miles: number | undefined) => (miles === undefined ? null : Math.round(miles))

function readBounds(text: string) {
  const [south = 0, west = 0, north = 0, east = 0] = text.split(',').map(Number)
  if (south >= north || west >= east) throw refuseField('filter[bounds]', 'south,west,north,east: the first two are the lesser ones')
  return { south, west, north, east }
}
