import type { Selectable } from 'kysely'
import type { Role, Tier } from '#contract/values/permissions.ts'
import type { Users } from '#database/schema.gen.ts'
import { rowsOf, type ReadRows, type Tx } from '#server/db/db.ts'

// A user's row, and the locks on it. They differ in whom they hold up: `lockUser` everybody, rows that refer to the user
// included, bids among them; `lockUserBesideBids` those who change the user; `keepUser` only who would delete the account.

export type UserRow = Omit<Selectable<Users>, 'tier' | 'role'> & { tier: Tier; role: Role | null }

/**
 * For what changes who the user is or pays: FOR UPDATE, and the user as it then is. First in its transaction: whoever holds
 * a session, a token or an address of the user and then waits for the user deadlocks with who does it the other way round.
 */
export const lockUser = (tx: Tx, id: string): Promise<UserRow | undefined> => lockUserOn(rowsOf(tx), id)

/** The same on a connection whose transaction somebody else began. */
export async function lockUserOn(rows: ReadRows, id: string): Promise<UserRow | undefined> {
  const [user] = await rows<UserRow>('select * from users where id = $1 for update', [id])
  return user
}

/**
 * For what a deleted account must not have, such as a listing or an offer: FOR KEY SHARE, the lock that the foreign keys of the
 * new rows take anyway, but taken before anything is judged. A deletion waits, and then finds them. Answers whether the account
 * is deleted already. After listings, where both are locked: a deletion locks no listing.
 */
export async function keepUser(tx: Tx, id: string): Promise<{ isDeleted: boolean }> {
  const [user] = await rowsOf(tx)<{ deleted_at: Date | null }>('select deleted_at from users where id = $1 for key share', [id])
  return { isDeleted: user?.deleted_at != null }
}

/** For what counts or replaces things that the user has, such as saved searches and documents: FOR NO KEY UPDATE. Bids do not wait. */
export async function lockUserBesideBids(tx: Tx, id: string): Promise<{ isDeleted: boolean }> {
  const [user] = await rowsOf(tx)<{ deleted_at: Date | null }>('select deleted_at from users where id = $1 for no key update', [id])
  return { isDeleted: user?.deleted_at != null }
}
