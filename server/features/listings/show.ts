import type { Listing } from '#contract/listings.ts'
import { isParty } from '#domain/listings/visibility.ts'
import { auditLook } from '#server/db/audit.ts'
import { rowsOf, type Db, type DbOrTx } from '#server/db/db.ts'
import { presentListing, type ListingView } from '#server/features/listings/present.ts'
import { findListing, type ListingRow } from '#server/features/listings/queries.ts'
import { papersOf } from '#server/features/papers/public.ts'
import { noSale, presentSale, readLives, readSaleDetails, type Life } from '#server/features/sales/public.ts'
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
  const own = rows.filter((row) => row.viewer_role !== null || isParty(row, viewerId) || wasBuyer(row))
  const sales = new Map<string, typeof noSale>()
  if (viewerId === null || own.length === 0) return sales
  const role = own[0]?.viewer_role ?? null
  const ask = rowsOf(db)
  const lives = await readLives(
    ask,
    own.map(({ id }) => id),
    read,
  )
  const details = await readSaleDetails(
    ask,
    lives.flatMap(({ row }) => row.award?.id ?? []),
  )
  const papers = await papersOf(
    ask,
    lives.flatMap(({ row }) => (row.award ? [row.id] : [])),
    viewerId,
  )
  for (const life of lives) {
    const awardId = life.row.award?.id ?? ''
    const view = { viewer: { id: viewerId, role }, details: details.get(awardId), papers: papers.get(life.row.id) ?? [] }
    sales.set(life.row.id, presentSale(life, view))
  }
  if (role !== null) await auditSales(db, viewerId, lives)
  return sales
}

/** Sales of others that somebody with a role has seen: one entry for the whole page. */
async function auditSales(db: DbOrTx, viewerId: string, lives: readonly Life[]): Promise<void> {
  const seen = lives.filter(({ row }) => row.award && row.seller_id !== viewerId && row.buyer_id !== viewerId).map(({ row }) => row)
  if (seen.length === 0) return
  const about = seen.length === 1 ? seen[0]?.seller_id : null
  await auditLook(db, { id: viewerId }, { act: 'see-sales', about, details: { listing_ids: seen.map(({ id }) => id) } })
}

/** A sale that was paid and then undone: whoever bought sees what becomes of the money. */
const wasBuyer = ({ status, my_bid_status }: ListingRow) => my_bid_status === 'Closed' && ['Expired', 'RemovedByAdmin'].includes(status)
