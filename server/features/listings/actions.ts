import type { Listing } from '#contract/listings.ts'
import { rowsOf, type DbOrTx } from '#server/db/db.ts'
import { readSteps } from '#server/features/bids/actions.ts'
import { recheckGate } from '#server/features/sales/by-time.ts'
import { readLives, readOnce, type Read } from '#server/features/sales/facts.ts'
import { searchOf } from '#server/features/search/filter.ts'
import { presentListing, type Shown } from '#server/features/listings/present.ts'
import { noSale, presentSale } from '#server/features/sales/present-sale.ts'
import {
  findListing,
  findListings,
  isParty,
  isVisible,
  listingColumns,
  type ListingColumns,
  type ListingRow,
} from '#server/features/listings/queries.ts'
import { textQuery } from '#server/features/search/search-sql.ts'
import { underWayOf } from '#server/features/sales/under-way.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'
import { documentsOf, mediaOf } from '#server/features/storage/actions.ts'

export { findListing, findListings, isVisible, listingColumns, recheckGate, searchOf, textQuery, underWayOf }
export type { ListingColumns, ListingRow }

/** Rows as one viewer may see them, with their photos: one query for all of them, and a closer look at those that the viewer sells or buys. */
export async function showListings(
  db: DbOrTx,
  readSetting: ReadSetting,
  rows: readonly ListingRow[],
  viewerId: string | null,
): Promise<Listing[]> {
  const media = await mediaOf(
    db,
    rows.map(({ id }) => id),
  )
  const documents = await documentsOf(
    db,
    rows.flatMap(({ id, seller_id }) => (seller_id === viewerId ? [id] : [])),
  )
  const steps = await readSteps(db, readSetting)
  const read = readOnce((key) => readSetting(db, key))
  const sales = await salesOf(db, rows, viewerId, read)
  const offerWindow = rows.some((row) => row.can_offer_at_reservation_price) ? await read('reservation_offer_window') : null
  return rows.map((row) => presentListing(row, { viewerId, steps, media, documents, offerWindow, sale: sales.get(row.id) ?? noSale }))
}

/** A listing that is being bid on, as its bidder may see it: nobody buys it yet, so there is nothing more to look at. */
export const showBidden = (row: ListingRow, shown: Pick<Shown, 'viewerId' | 'steps' | 'media'>): Listing =>
  presentListing(row, { ...shown, documents: new Map(), offerWindow: null, sale: noSale })

export async function showListing(db: DbOrTx, readSetting: ReadSetting, row: ListingRow, viewerId: string | null): Promise<Listing> {
  const [shown] = await showListings(db, readSetting, [row], viewerId)
  if (!shown) throw new Error('a row that is there can be shown')
  return shown
}

async function salesOf(db: DbOrTx, rows: readonly ListingRow[], viewerId: string | null, read: Read) {
  const own = rows.filter((row) => isParty(row, viewerId))
  if (viewerId === null || own.length === 0) return new Map<string, typeof noSale>()
  const lives = await readLives(
    rowsOf(db),
    own.map(({ id }) => id),
    read,
  )
  const companies = await companiesOf(
    db,
    lives.flatMap(({ row }) => (row.buyer_id === null ? [] : [row.buyer_id, row.seller_id])),
  )
  const vatRate = await read('vat_rate')
  return new Map(lives.map((life) => [life.row.id, presentSale(life, viewerId, vatRate, companies)]))
}

async function companiesOf(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'company_name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, company_name }) => [id, company_name]))
}
