import type { Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { keyFor, reserveCall, type ProviderCall } from '#server/features/payments/calls.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { isMissing } from '#server/providers/payment.ts'

// Who is erased is erased at the provider too: the customer with its cards, and the account that was paid into. Our own erasing
// waits for neither.

/** In the transaction that erases. What was asked of the provider stays, without the person in it; what is open is emptied when it is settled. */
export async function erasePayments(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('provider_calls')
    .set({ params: JSON.stringify({}) })
    .where('user_id', '=', userId)
    .where('status', '<>', 'pending')
    .execute()
  await leaveProvider(tx, userId)
}

const deletions = [
  { kind: 'delete_customer', of: 'provider_customer_id' },
  { kind: 'delete_account', of: 'payment_account_id' },
] as const

/** Writes down what is still to be deleted of somebody who is erased. */
export async function leaveProvider(tx: Tx, userId: string): Promise<void> {
  const user = await lockUser(tx, userId)
  if (!user?.erased_at) return
  for (const { kind, of } of deletions) {
    const id = user[of]
    if (!id || (await isAskedFor(tx, userId, kind))) continue
    await reserveCall(tx, { kind, key: await keyFor(tx, `${kind}:${userId}`), userId, params: { id } })
  }
}

const isAskedFor = async (tx: Tx, userId: string, kind: string) =>
  (await tx
    .selectFrom('provider_calls')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('status', '<>', 'refused')
    .limit(1)
    .executeTakeFirst()) !== undefined

export type Deletion = { id: string }

/** What is gone already is as good as deleted. */
export async function deleted(id: string, deletion: Promise<Deletion>): Promise<Deletion> {
  try {
    return await deletion
  } catch (error) {
    if (isMissing(error)) return { id }
    throw error
  }
}

// an account with money in it cannot be deleted: the provider pays it out in a few days
const TRY_AGAIN_AFTER = '7 days'

/** A refusal is of this moment. */
export const tryLater = async (tx: Tx, { user_id }: ProviderCall) => {
  if (user_id) await enqueue(tx, 'leave_provider', { user_id }, TRY_AGAIN_AFTER)
}
