import type { FastifyInstance } from 'fastify'
import { listingEndpoints } from '#contract/listings.ts'
import type { Deps } from '#server/deps.ts'
import { takeAction } from '#server/features/listings/act.ts'
import { showListing, showListings } from '#server/features/listings/actions.ts'
import { createListing } from '#server/features/listings/create.ts'
import type { Read } from '#server/features/listings/facts.ts'
import { findActive, findListing, type Cursor, type ListingRow } from '#server/features/listings/queries.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function listingRoutes(app: FastifyInstance, { db, readSetting, auctionPool }: Deps): void {
  const one = async (id: string, viewerId: string | null) => {
    const row = await findListing(db, id, viewerId)
    if (!row) throw notFound()
    return { data: await showListing(db, readSetting, row, viewerId) }
  }

  /** One row more than the page was asked for: whether there is a next one, without counting them all. */
  const page = async (rows: ListingRow[], limit: number, sort: Sort, viewerId: string | null) => {
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      data: await showListings(db, readSetting, shown, viewerId),
      meta: { next_cursor: last ? writeCursor(last, sort) : null, prev_cursor: null, per_page: limit },
    }
  }

  serve(app, listingEndpoints, {
    'GET /api/v1/listings': async ({ query, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      const sort: Sort = query.sort === 'newest' ? 'newest' : 'ending_soonest'
      const filter = {
        search: query['filter[search]'],
        material_id: query['filter[material_id]'],
        transfer_method_id: query['filter[transfer_method_id]'],
        min_price: query['filter[min_price]'],
        max_price: query['filter[max_price]'],
        sort,
      }
      const rows = await findActive(db, filter, { after: readCursor(query.cursor), limit: query.per_page + 1 }, viewerId)
      return page(rows, query.per_page, sort, viewerId)
    },

    'POST /api/v1/listings': async ({ body, viewer }) => one(await createListing(db, readSetting, viewer.user, body), viewer.user.id),

    'GET /api/v1/listings/{id}': async ({ params, viewer }) => one(params.id, viewer.user?.id ?? null),

    'DELETE /api/v1/listings/{id}': async ({ params, viewer }) => {
      const read: Read = (key) => readSetting(db, key)
      await takeAction({ pool: auctionPool, read }, { listingId: params.id, action: 'withdraw', sent: {}, person: viewer.user })
      return one(params.id, viewer.user.id)
    },
  })
}

type Sort = 'ending_soonest' | 'newest'

const writeCursor = (row: ListingRow, sort: Sort) => {
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
