import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { closeDue } from '#server/clock/due-listings.ts'
import { decideBatch } from '#server/features/bids/batch.ts'
import { defaultRules, newListing, newMerchant, serverPool } from '#tests/support/auctions/auction.ts'

export type SoundAuctions = Awaited<ReturnType<typeof soundAuctions>>

/** A little of everything, made by the product's own hands. */
export async function soundAuctions(owner: pg.ClientBase, url: string) {
  const pool = serverPool(url, 1)
  const client = await pool.connect()
  const seller = await newMerchant(owner, { payment_account_verified: true })
  const ann = await newMerchant(owner, { payment_account_verified: true })
  const bob = await newMerchant(owner, { payment_account_verified: true })
  const began = new Date(Date.now() - 3_600_000)
  const list = async (changes: Record<string, unknown> = {}) => newListing(owner, seller, { starts_at: began, ...changes })
  const bid = async (listingId: string, bidderId: string, amount: number) => {
    const request = { listingId, bidderId, amount, max: amount, key: randomUUID() }
    const [placed] = await decideBatch(client, [request], async () => defaultRules)
    if (placed?.answer.outcome !== 'accepted') throw new Error(JSON.stringify(placed?.answer))
    return placed.answer.bid.id
  }

  const sold = await list()
  const below = await list({ reservation_price: 900_00 })
  const unsold = await list()
  await bid(sold, bob, 100_00)
  await bid(sold, ann, 150_00)
  await bid(below, ann, 100_00)
  await owner.query(
    `update listings set expires_at = past, first_expires_at = past from (select date_trunc('milliseconds', app_now()) as past) as t where id = any($1::uuid[])`,
    [[sold, below, unsold]],
  )
  await closeDue(client)

  const active = await list()
  await owner.query(
    `insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id, at)
     values ($1, 1, 'submit', null, 'Processing', 'seller', $2, $3), ($1, 2, 'ready', 'Processing', 'Active', 'time', null, $3)`,
    [active, seller, began],
  )
  const bids = [await bid(active, ann, 100_00), await bid(active, bob, 150_00), await bid(active, ann, 200_00)] as const
  const single = await list()
  await bid(single, ann, 100_00)
  const quiet = await list()
  const photo = await upload(owner, seller)
  await owner.query('insert into listing_media (listing_id, storage_object_id, position) values ($1, $2, 1)', [active, photo])
  const unlinked = await upload(owner, seller)
  client.release()
  await pool.end()
  return { seller, ann, bob, sold, below, unsold, active, bids, single, quiet, photo, unlinked }
}

async function upload(owner: pg.ClientBase, ownerId: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into storage_objects (owner_id, upload_kind, filename, mime_type, file_size, state, object_key, sha256, ready_at)
     values ($1, 1, 'load.png', 'image/png', 1, 'ready', $2, sha256('x'), app_now())
     returning id`,
    [ownerId, `ready/${randomUUID()}/image.png`],
  )
  return rows[0]?.id ?? ''
}
