import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { activateReady } from '#server/clock/due-listings.ts'
import { newListing, newMerchant, newPhoto, serverPool } from '#tests/support/auctions/auction.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

let database: FreshDatabase
let owner: pg.Client
before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await database.drop()
})

const HOUR = 3_600_000

test('a day of a listing is 24 hours, also over a night when London’s clocks change and on a database that keeps London’s time', async () => {
  await owner.query(`do $$ begin execute format('alter database %I set timezone to ''Europe/London''', current_database()); end $$`)
  // the clocks go forward at one in the morning of 28 March 2027
  await owner.query(
    `create or replace function app_now() returns timestamptz language sql volatile parallel safe return timestamptz '2027-03-27 12:00:00Z'`,
  )
  const seller = await newMerchant(owner)
  const id = await newListing(owner, seller, {
    status: 'Processing',
    duration_days: 1,
    starts_at: null,
    expires_at: null,
    first_expires_at: null,
  })
  await newPhoto(owner, id)
  const pool = serverPool(database.url)
  try {
    const client = await pool.connect()
    await activateReady(client)
    client.release()
    const { rows } = await owner.query<{ starts_at: Date; expires_at: Date }>('select starts_at, expires_at from listings where id = $1', [
      id,
    ])
    assert.equal((rows[0]?.expires_at.getTime() ?? 0) - (rows[0]?.starts_at.getTime() ?? 0), 24 * HOUR)
  } finally {
    await pool.end()
  }
})
