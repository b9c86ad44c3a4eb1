import { sql, type Selectable } from 'kysely'
import type { Tier } from '#contract/values/permissions.ts'
import type { Users } from '#database/schema.gen.ts'
import { rowsOf, type ReadRows, type Tx } from '#server/db/db.ts'

// A user's row, and the two locks on it. Both make others who change the user wait. They differ in whom else they hold up:
// `lockUser` also stops rows that refer to the user from being added, bids among them, until the transaction ends.

export type UserRow = Omit<Selectable<Users>, 'tier'> & { tier: Tier }

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

/** For what counts or replaces things that the user has, such as saved searches and documents: FOR NO KEY UPDATE. Bids do not wait. */
export const lockUserBesideBids = (tx: Tx, id: string) => sql`select from users where id = ${id} for no key update`.execute(tx)
