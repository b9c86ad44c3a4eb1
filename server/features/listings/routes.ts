import type { FastifyInstance } from 'fastify'
import { listingEndpoints } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { readSteps } from '#server/features/bids/actions.ts'
import { presentListing } from '#server/features/listings/present.ts'
import { findActive, findListing, isUuid, type Cursor, type ListingRow } from '#server/features/listings/queries.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'

export function listingRoutes(app: FastifyInstance, { db, readSetting }: Deps): void {
  serve(app, listingEndpoints, {
    'GET /api/v1/listings': async ({ query, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      const limit = query.per_page
      const filter = {
        search: query['filter[search]'],
        material_id: query['filter[material_id]'],
        transfer_method_id: query['filter[transfer_method_id]'],
        min_price: query['filter[min_price]'],
        max_price: query['filter[max_price]'],
        sort: query.sort,
      }
      // one more than the page: whether there is a next one, without counting them all
      const rows = await findActive(db, filter, { after: readCursor(query.cursor), limit: limit + 1 }, viewerId)
      const steps = await readSteps(db, readSetting)
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        data: shown.map((row) => presentListing(row, viewerId, steps)),
        meta: { next_cursor: last ? writeCursor(last, query.sort) : null, prev_cursor: null, per_page: limit },
      }
    },

    'GET /api/v1/listings/{id}': async ({ params, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      const row = await findListing(db, params.id, viewerId)
      if (!row) throw notFound()
      return { data: presentListing(row, viewerId, await readSteps(db, readSetting)) }
    },
  })
}

const writeCursor = (row: ListingRow, sort: 'ending_soonest' | 'newest') => {
  const at = sort === 'newest' ? row.created_at : row.expires_at
  return Buffer.from(JSON.stringify([at?.toISOString(), row.id])).toString('base64url')
}

function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined
  try {
    const [at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown]
    if (typeof at === 'string' && typeof id === 'string' && isUuid(id) && !Number.isNaN(Date.parse(at))) return { at, id }
  } catch {
    // not a cursor of ours, like any other that is none
  }
  throw refuseField('cursor', 'This is not the end of a page.')
}
