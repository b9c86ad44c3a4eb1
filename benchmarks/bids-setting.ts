import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { findViolations } from '#database/check.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { migrate } from '#database/migrate.ts'
import type { Load } from '#benchmarks/bids-load.ts'
import { bidderId, listingId } from '#benchmarks/bids-yardstick.ts'
import { newListing, newMerchant, newPhoto } from '#tests/support/auctions/auction.ts'
import { launchProduct } from '#tests/support/processes/product.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

export type Setting = {
  databaseUrl: string
  owner: pg.Client
  port: number
  bidders: Load['bidders']
  serverSaid: () => string
  close: () => Promise<void>
}

/** A PostgreSQL that keeps what it commits, the product on it as a process of its own, listings, and bidders who are logged in. */
export async function openSetting(counts: { listings: number; bidders: number }): Promise<Setting> {
  const folder = await scratchFolder('bench')
  const postgres = await startPostgres({ dir: join(folder, 'postgres') })
  await migrate(postgres.url)
  const owner = await connectTo(postgres.url)
  const tokens = await fillDatabase(owner, counts)
  const product = await launchProduct({ DATABASE_URL: postgres.url, DATA_DIR: folder, LOG_LEVEL: 'warn' })
  await product.says('Yardbid is running')
  return {
    databaseUrl: postgres.url,
    owner,
    port: Number(new URL(product.url).port),
    bidders: await Promise.all(tokens.map((token) => logIn(product.url, token))),
    serverSaid: product.said,
    async close() {
      product.signal('SIGTERM')
      await product.ended
      await owner.end()
      await postgres.stop()
    },
  }
}

/** Answers the tokens of the bidders' sessions. Steps of a penny leave room for millions of bids on one listing. */
async function fillDatabase(owner: pg.Client, { listings, bidders }: { listings: number; bidders: number }): Promise<string[]> {
  await owner.query(await readFile(new URL('bids-yardstick.sql', import.meta.url), 'utf8'))
  await owner.query(`insert into settings (key, value) values ('bid_steps_lot', '[{"below": null, "step": 1}]')`)
  const seller = await newMerchant(owner)
  for (let nth = 1; nth <= listings; nth++) {
    await newListing(owner, seller, { id: listingId(nth), start_price: 1_00 })
    await newPhoto(owner, listingId(nth))
  }
  const tokens: string[] = []
  for (let nth = 1; nth <= bidders; nth++) {
    await newMerchant(owner, { id: bidderId(nth) })
    const token = randomBytes(32).toString('base64url')
    const hash = createHash('sha256').update(token).digest()
    await owner.query('insert into sessions (token_hash, user_id) values ($1, $2)', [hash, bidderId(nth)])
    tokens.push(token)
  }
  // a past, as every database has but one that was made a minute ago
  await owner.query(
    `select count(*)
     from (select yardstick_bid(l.id, b.id, gen_random_uuid()::text)
           from (select id from users where id <> $1 order by id limit 20) b, (select id from listings) l) as bids`,
    [seller],
  )
  await owner.query('vacuum analyze')
  return tokens
}

/** A browser that comes back with its session asks for a CSRF token, which fits no other session. */
async function logIn(url: string, token: string): Promise<Load['bidders'][number]> {
  const session = `sid=${token}`
  const answer = await fetch(`${url}/sanctum/csrf-cookie`, { headers: { cookie: session } })
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1]
  if (!csrf) throw new Error(`no CSRF token: ${answer.status} ${await answer.text()}`)
  return { cookie: `${session}; XSRF-TOKEN=${csrf}`, csrf: decodeURIComponent(csrf) }
}

/** What was answered with yes is there, and what was not is not. */
export async function counted<Result extends { accepted: number }>(owner: pg.Client, work: () => Promise<Result>): Promise<Result> {
  const count = async () => Number((await owner.query<{ n: string }>('select count(*) as n from bids')).rows[0]?.n)
  const before = await count()
  const result = await work()
  assert.equal((await count()) - before, result.accepted, 'every accepted bid is a row, and every row an accepted bid')
  return result
}

/** Reads every bid, so it is asked once for all runs. */
export async function nothingIsBroken(owner: pg.Client): Promise<void> {
  assert.deepEqual(await findViolations(owner), [])
}
