import type { Listing } from '#contract/listings.ts'
import type { DbOrTx } from '#server/db.ts'
import { readSteps } from '#server/features/bids/actions.ts'
import { presentListing } from '#server/features/listings/present.ts'
import { findListing, findListings, type ListingRow } from '#server/features/listings/queries.ts'
import type { ReadSetting } from '#server/features/settings/actions.ts'
import { mediaOf } from '#server/features/storage/actions.ts'

export { findListing, findListings }

/** Rows as one viewer may see them, with their photos: one query for all of them. */
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
  const steps = await readSteps(db, readSetting)
  return rows.map((row) => presentListing(row, { viewerId, steps, media }))
}

export async function showListing(db: DbOrTx, readSetting: ReadSetting, row: ListingRow, viewerId: string | null): Promise<Listing> {
  const [shown] = await showListings(db, readSetting, [row], viewerId)
  if (!shown) throw new Error('a row that is there can be shown')
  return shown
}
