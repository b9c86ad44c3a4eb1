import { sql } from 'kysely'
import { MOST_SAVED_SEARCHES, MOST_WATCHED, type SavedSearch } from '#contract/saved-searches.ts'
import type { Db } from '#server/db/db.ts'
import { lockUserBesideBids } from '#server/db/user.ts'
import { findSavedSearches, insertSavedSearch } from '#server/features/saved-searches/queries.ts'
import { accountDeleted, refuse } from '#server/http/errors.ts'

export async function saveSearch(
  db: Db,
  userId: string,
  wanted: Pick<SavedSearch, 'name' | 'filter' | 'alerts'>,
): Promise<SavedSearch | undefined> {
  return db.transaction().execute(async (tx) => {
    if ((await lockUserBesideBids(tx, userId)).isDeleted) throw accountDeleted()
    if ((await findSavedSearches(tx, userId)).length >= MOST_SAVED_SEARCHES) {
      throw refuse('conflict', `You have ${MOST_SAVED_SEARCHES} saved searches. Delete one first.`, { code: 'too_many_saved_searches' })
    }
    const id = await insertSavedSearch(tx, userId, wanted)
    return (await findSavedSearches(tx, userId)).find((saved) => saved.id === id)
  })
}

/** A second time changes nothing. */
export async function watchListing(db: Db, userId: string, listingId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockUserBesideBids(tx, userId)).isDeleted) throw accountDeleted()
    const { rows } = await sql<{ others: number }>`
      select count(*)::int as others from watches where user_id = ${userId} and listing_id <> ${listingId}`.execute(tx)
    if ((rows[0]?.others ?? 0) >= MOST_WATCHED) {
      throw refuse('conflict', `You watch ${MOST_WATCHED} listings. Take one off your watch list first.`, { code: 'watch_list_full' })
    }
    await tx
      .insertInto('watches')
      .values({ user_id: userId, listing_id: listingId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

export async function unwatchListing(db: Db, userId: string, listingId: string): Promise<void> {
  await db.deleteFrom('watches').where('user_id', '=', userId).where('listing_id', '=', listingId).execute()
}
