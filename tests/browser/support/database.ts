import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { OWNER_ROLE, readPassword } from '#database/embedded/folder.ts'
import { findPostmaster } from '#database/embedded/postmaster.ts'
import { DATA_DIR } from '#tests/browser/support/place.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'

/** A trial is given once: this one has had it. */
export const useUpTrial = (email: string) => asOwner('update users set trial_used_at = app_now() where email = $1', [email])

export const paymentAccountOf = async (email: string): Promise<string> => {
  const { rows } = await asOwner('select payment_account_id from users where email = $1', [email])
  return String(rows[0]?.payment_account_id)
}

/** May bid: a licence and, unless told, a card for the holding fee. */
export const newBidder = (email: string, { hasCard = true } = {}) =>
  asOwner(
    `update users set tier = 'full', holding_fee_card = case when $2 then 'pm_test' end, licence_status = 'approved' where email = $1`,
    [email, hasCard],
  )

export const unconfirmEmail = (email: string) => asOwner('update users set email_verified_at = null where email = $1', [email])

export const endSessions = (email: string) =>
  asOwner('delete from sessions where user_id = (select id from users where email = $1)', [email])

export const countSessions = async (email: string): Promise<number> =>
  (await asOwner('select from sessions where user_id = (select id from users where email = $1)', [email])).rowCount ?? 0

export const countPushBrowsers = async (email: string): Promise<number> =>
  (await asOwner('select from push_subscriptions where user_id = (select id from users where email = $1)', [email])).rowCount ?? 0

export const countUsers = async (email: string): Promise<number> =>
  (await asOwner('select from users where email = $1', [email])).rowCount ?? 0

/** A listing of this test's own, sold by a demo user. */
export const listingOf = (email: string, changes: Record<string, unknown>): Promise<string> =>
  connected(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email])
    return newListing(client, rows[0]?.id ?? '', changes)
  })

/** The payment provider knows who leads: a sale need not wait for that. */
export const verifyLeader = (id: string) =>
  asOwner('update users set payment_account_verified = true where id = (select leader_id from listings where id = $1)', [id])

/** Its time is up; the clock of the server sees to the rest. */
export const endNow = (id: string) =>
  asOwner(
    `update listings set expires_at = ended, first_expires_at = ended
     from (select date_trunc('milliseconds', app_now()) as ended) as clock where id = $1`,
    [id],
  )

/** The time that somebody was given is over; the clock of the server sees to the rest. */
export const runOut = (id: string) => asOwner(`update listings set due_at = date_trunc('milliseconds', app_now()) where id = $1`, [id])

/** An admin lets the buyer of a listing pay later. */
export const grantTerms = (id: string, { days, limit }: { days: number; limit: number }) =>
  asOwner(
    `update users set deferred_days = $2, deferred_limit = $3
     where id = (select bidder_id from awards where listing_id = $1 and status = 'pending_payment')`,
    [id, days, limit],
  )

/** The day on which a deferred payment was due lies behind. */
export const passDueDay = (id: string) =>
  connected(async (client) => {
    const ended = `date_trunc('milliseconds', app_now())`
    await client.query(`update awards set deferred_expires_at = ${ended} where listing_id = $1 and status = 'paid'`, [id])
    await client.query(`update listings set due_at = ${ended} where id = $1`, [id])
  })

/** What the payment provider tells once its form is filled in; after whatever the sign-up has set off. */
export const completePaymentAccount = (email: string) =>
  connected(async (client) => {
    const open = () =>
      client.query(
        `select from jobs where payload ->> 'user_id' = (select id::text from users where email = $1) and failed_at is null and run_at <= app_now()`,
        [email],
      )
    while ((await open()).rowCount) await pause(50)
    await client.query('update users set payment_account_completed = true where email = $1', [email])
  })

/** Where onboarding stands; null when it has ended. */
export const stageOf = async (email: string): Promise<number | null> =>
  (await asOwner('select onboarding_stage from users where email = $1', [email])).rows[0]?.onboarding_stage

export const setStage = (email: string, stage: number | null) =>
  asOwner('update users set onboarding_stage = $2 where email = $1', [email, stage])

/** A merchant of this test's own who may bid, logged in. */
export const newMerchantSession = (): Promise<string> => connected(async (client) => newSession(client, await newMerchant(client)))

export const sessionOf = (email: string): Promise<string> =>
  connected(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email])
    return newSession(client, rows[0]?.id ?? '')
  })

export async function newSession(client: pg.ClientBase, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await client.query('insert into sessions (token_hash, user_id) values ($1, $2)', [hash, userId])
  return token
}

export const asOwner = (sql: string, values: unknown[]) => connected((client) => client.query(sql, values))

/** One pool per test process, made by the first test that needs it: a connection of its own costs PostgreSQL a process each time. */
let pool: Promise<pg.Pool> | undefined

async function openPool(): Promise<pg.Pool> {
  const dir = `${DATA_DIR}/pg`
  const server = findPostmaster(dir)
  if (!server) throw new Error('the database of the browser tests does not run')
  const password = await readPassword(dir)
  return new pg.Pool({
    host: '127.0.0.1',
    port: server.port,
    user: OWNER_ROLE,
    password,
    database: 'yardbid',
    max: 4,
    allowExitOnIdle: true,
  })
}

export async function connected<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await (await (pool ??= openPool())).connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}
