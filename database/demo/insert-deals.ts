import type pg from 'pg'
import { insertChats } from '#database/demo/chats/insert-chats.ts'
import { demoSaleChats } from '#database/demo/chats/threads.ts'
import type { DemoDeal } from '#database/demo/deals.ts'
import { insertListings } from '#database/demo/insert-listings.ts'
import { insertDemoPhotos, type StorePhoto } from '#database/demo/insert-photos.ts'
import type { DemoPerson } from '#database/demo/listing.ts'

/** The listings of the demo's sales, as their auctions end: all of them or none, and once. Answers whether this was the time. */
export async function insertDeals(client: pg.Client, deals: readonly DemoDeal[], storePhoto: StorePhoto): Promise<boolean> {
  const ids = deals.map(({ id }) => id)
  await client.query('begin')
  try {
    const { rowCount } = await client.query('select from listings where id = any($1::uuid[])', [ids])
    if (rowCount === 0) {
      await insertDemoPhotos(client, await insertListings(client, await readPeople(client), deals), storePhoto)
      await insertChats(client, demoSaleChats)
      await client.query(
        `insert into set_aside_listings (listing_id, next_try_at, last_error)
         select id, app_now() + interval '1 day', 'the demo shows it in Processing for a day'
         from listings
         where id = any($1::uuid[]) and status = 'Processing'`,
        [ids],
      )
    }
    await client.query('commit')
    return rowCount === 0
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function readPeople(client: pg.Client): Promise<Map<string, DemoPerson>> {
  const { rows } = await client.query<{ name: string; id: string; address: DemoPerson['address'] }>(
    `select split_part(u.email, '@', 1) as name, u.id,
            jsonb_build_object('line', a.address_line_1, 'town', a.town, 'country', a.county, 'postCode', a.post_code,
              'latitude', a.latitude, 'longitude', a.longitude) as address
     from users u
     join addresses a on a.user_id = u.id and a.is_default_address
     where u.email like '%@yardbid.test'`,
  )
  return new Map(rows.map(({ name, id, address }) => [name, { id, address }]))
}
