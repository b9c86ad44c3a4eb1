import type { DbOrTx, Tx } from '#server/db/db.ts'

/** The call of these kinds that a user is still waiting for, oldest first. */
export const openCallOf = (db: DbOrTx, userId: string, kinds: readonly string[]) =>
  db
    .selectFrom('provider_calls')
    .select(['id', 'kind'])
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()

/** One key per thing that exists once; a call that was refused has used its key up, and the next try gets another. */
export async function keyFor(tx: Tx, base: string): Promise<string> {
  const { refused } = await tx
    .selectFrom('provider_calls')
    .select((read) => read.fn.countAll<string>().as('refused'))
    .where((where) => where.or([where('idempotency_key', '=', base), where('idempotency_key', 'like', `${base}:%`)]))
    .where('status', '=', 'refused')
    .executeTakeFirstOrThrow()
  return Number(refused) === 0 ? base : `${base}:${refused}`
}
