import { sql } from 'kysely'
import type pg from 'pg'
import type { Stripe } from 'stripe'
import { ownEntries, type Entry, type OwnMovement } from '#domain/ledger.ts'
import type { Tx } from '#server/db/db.ts'

export type Posting = {
  kind: string
  /** What it explains; the same source is posted once. */
  source: string
  memo: string
  userId: string | null
  listingId?: string | null
  occurredAt: Date
  entries: readonly Entry[]
}

/** Writes one ledger transaction in the caller's own; a source that is explained already is left as it is. Answers whether it was new. */
export async function post(tx: Tx, { kind, source, memo, userId, listingId = null, occurredAt, entries }: Posting): Promise<boolean> {
  if (entries.length === 0) return false
  const row = await tx
    .insertInto('ledger_transactions')
    .values({ kind, source, memo, user_id: userId, listing_id: listingId, occurred_at: occurredAt })
    .onConflict((conflict) => conflict.column('source').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await tx
    .insertInto('ledger_entries')
    .values(
      entries.map(({ account, amount }, nth) => ({
        transaction_id: row.id,
        line: nth + 1,
        account,
        amount: String(amount),
        user_id: userId,
      })),
    )
    .execute()
  return true
}

type Own = Omit<Posting, 'entries' | 'kind'> & { kind: OwnMovement; amount: number }

export const postOwn = (tx: Tx, { amount, ...posting }: Own): Promise<boolean> =>
  post(tx, { ...posting, entries: amount === 0 ? [] : ownEntries(posting.kind, amount) })

export async function isPosted(tx: Tx, source: string): Promise<boolean> {
  const row = await tx.selectFrom('ledger_transactions').select('id').where('source', '=', source).executeTakeFirst()
  return row !== undefined
}

/** One explanation of a thing after another, so that the second sees what the first has written. */
export const lockSource = (tx: Tx, source: string) => sql`select pg_advisory_xact_lock(hashtextextended(${source}, 9))`.execute(tx)

type Compared = { ledger: number; provider: number }

const QUIET_LOOKS = 5
const MOST_LOOKS = 60

/**
 * The ledger follows the provider's events, so it is behind for a moment whenever money moves. Looks again while the two differ and
 * either still changes; a difference that stays is answered.
 */
export async function compareUntilQuiet(look: () => Promise<Compared>, pause: () => Promise<unknown>): Promise<Compared> {
  let last = await look()
  let quiet = 0
  for (let looks = 1; last.ledger !== last.provider && quiet < QUIET_LOOKS && looks < MOST_LOOKS; looks += 1) {
    await pause()
    const next = await look()
    quiet = next.ledger === last.ledger && next.provider === last.provider ? quiet + 1 : 0
    last = next
  }
  return last
}

/** INVARIANTS 30: the clearing account equals the provider's balance to the penny, once every event was applied. */
export async function compareWithProvider(client: pg.ClientBase, stripe: Stripe): Promise<Compared> {
  const { rows } = await client.query<{ total: string }>(
    `select coalesce(sum(amount), 0) as total from ledger_entries where account = 'provider_clearing'`,
  )
  const { available, pending } = await stripe.balance.retrieve()
  const balances = [...available, ...pending].filter(({ currency }) => currency === 'gbp')
  return { ledger: Number(rows[0]?.total ?? 0), provider: balances.reduce((sum, { amount }) => sum + amount, 0) }
}

/** The same of cash: what the ledger has in `provider_cash`, and what the customers' cash balances hold at the provider. */
export async function compareCash(client: pg.ClientBase, stripe: Stripe): Promise<Compared> {
  const { rows } = await client.query<{ customer: string; cash: string }>(
    `select u.provider_customer_id as customer, coalesce(sum(e.amount), 0) as cash
     from users u
     join ledger_entries e on e.user_id = u.id and e.account = 'provider_cash'
     where u.provider_customer_id is not null
     group by u.id`,
  )
  let provider = 0
  for (const { customer } of rows) provider += (await stripe.customers.retrieveCashBalance(customer)).available?.['gbp'] ?? 0
  return { ledger: rows.reduce((sum, { cash }) => sum + Number(cash), 0), provider }
}
