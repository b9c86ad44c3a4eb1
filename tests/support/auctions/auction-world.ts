import { closeDue } from '#server/clock/due-listings.ts'
import { defaultRules, newMerchant, serverPool } from '#tests/support/auctions/auction.ts'
import { lateBids } from '#tests/support/auctions/auction-model.ts'
import { placeBidsOn, type PlaceBid } from '#tests/support/auctions/place-bid.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'

export type AuctionWorld = Awaited<ReturnType<typeof openAuctionWorld>>

/** A database with people, two processes that decide bids and close listings, and a clock that stands still until it is set. */
export async function openAuctionWorld() {
  const database = await freshDatabase()
  const owner = await connectTo(database.url)
  await owner.query(`
    create table test_clock (at timestamptz not null);
    grant select on test_clock to public;
    insert into test_clock values (now());
    create or replace function app_now() returns timestamptz language sql volatile return (select at from test_clock)`)
  let now = 0
  const setClock = async (at: number) => {
    now = at
    await owner.query('update test_clock set at = $1', [new Date(at)])
  }
  await setClock(Date.UTC(2026, 5, 1))

  const pools = [serverPool(database.url), serverPool(database.url)] as const
  const placing = pools.map((pool) => placeBidsOn(pool, { ...defaultRules, lateBids }))
  const verified = { payment_account_verified: true }
  const seller = await newMerchant(owner, verified)
  const unverified = await newMerchant(owner)
  const bidders = [await newMerchant(owner, verified), await newMerchant(owner, verified), await newMerchant(owner, verified), unverified]

  return {
    owner,
    pools,
    seller,
    bidders,
    unverified,
    now: () => now,
    setClock,
    place: (by: number) => placing[by % 2] as PlaceBid,
    async closeOnce(by: number): Promise<number> {
      const client = await (by % 2 ? pools[1] : pools[0]).connect()
      try {
        return await closeDue(client)
      } finally {
        client.release()
      }
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
      await owner.end()
      await database.drop()
    },
  }
}
