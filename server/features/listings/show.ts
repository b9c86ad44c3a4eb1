import type { Listing } from '#contract/listings.ts'
import { isParty } from '#domain/listings/visibility.ts'
import { rowsOf, type Db, type DbOrTx } from '#server/db/db.ts'
import { presentListing, type ListingView } from '#server/features/listings/present.ts'
import { findListing, type ListingRow } from '#server/features/listings/queries.ts'
import { noSale, presentSale, readLives } from '#server/features/sales/public.ts'
import { readOnce, readSteps, type ReadSetting, type SettingReader } from '#server/features/settings/public.ts'
import { documentsOf, mediaOf } from '#server/features/storage/public.ts'
import { notFound } from '#server/http/errors.ts'

/** Finds and shows one listing as its viewer may see it; what is not there for the viewer is refused. */
export function listingReader({ db, readSetting }: { db: Db; readSetting: ReadSetting }) {
  const find = async (id: string, viewerId: string | null): Promise<ListingRow> => {
    const row = await findListing(db, id, viewerId)
    if (!row) throw notFound()
    return row
  }
  const show = async (id: string, viewerId: string | null): Promise<Listing> =>
    showListing(db, readSetting, await find(id, viewerId), viewerId)
  return { find, show }
}

/** Presents rows to one viewer. Photos are read by one query for all rows; sale facts only for those that the viewer sells or buys. */
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

/** An Active listing as its bidder may see it: it has no buyer yet, so no sale is read. */
export const presentForBidder = (row: ListingRow, view: Pick<ListingView, 'viewerId' | 'steps' | 'media'>): Listing =>
  presentListing(row, { ...view, documents: new Map(), offerWindow: null, sale: noSale })

export async function showListing(db: DbOrTx, readSetting: ReadSetting, row: ListingRow, viewerId: string | null): Promise<Listing> {
  const [shown] = await showListings(db, readSetting, [row], viewerId)
  if (!shown) throw new Error('a row that is there can be shown')
  return shown
}

async function salesOf(db: DbOrTx, rows: readonly ListingRow[], viewerId: string | null, read: SettingReader) {
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
