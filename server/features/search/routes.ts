import type { FastifyInstance } from 'fastify'
import { searchEndpoints } from '#contract/search.ts'
import type { Db } from '#server/db/db.ts'
import { showListings } from '#server/features/listings/public.ts'
import { searchEnded } from '#server/features/search/ended.ts'
import { searchOf } from '#server/features/search/filter.ts'
import { showMap } from '#server/features/search/map.ts'
import { readCursor, writeCursor } from '#server/features/search/search-cursor.ts'
import { searchListings } from '#server/features/search/search-listings.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { limitVisitors } from '#server/http/visitor-rate.ts'

/** `searchDb` is for searches alone, `mapDb` for the map, which reads a hundred times as much: neither keeps the other waiting. */
export type SearchDeps = { db: Db; searchDb: Db; mapDb: Db; readSetting: ReadSetting }

// a visitor who types and pages fast asks once a second, and an office of merchants shares an address
const SEARCHES_A_MINUTE = 240

export function searchRoutes(app: FastifyInstance, { db, searchDb, mapDb, readSetting }: SearchDeps): void {
  const limit = limitVisitors(SEARCHES_A_MINUTE)
  serve(app, searchEndpoints, {
    'GET /api/v1/listings': async ({ query, viewer, request }) => {
      limit(request)
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

    'GET /api/v1/listings/map': async ({ query, request }) => {
      limit(request)
      const bounds = query['filter[bounds]']
      const search = { ...searchOf(query), ending_within: query['filter[ending_within]'], box: bounds ? readBounds(bounds) : undefined }
      return { data: await showMap({ db, searchDb: mapDb }, search) }
    },
  })
}

const wholeMiles = (miles: number | undefined) => (miles === undefined ? null : Math.round(miles))

function readBounds(text: string) {
  const [south = 0, west = 0, north = 0, east = 0] = text.split(',').map(Number)
  if (south >= north || west >= east) throw refuseField('filter[bounds]', 'south,west,north,east: the first two are the lesser ones')
  return { south, west, north, east }
}
