import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { materials } from '#contract/values/materials.ts'
import { bidsOf } from '#database/demo/bids.ts'
import { moreDemoGoods } from '#database/demo/merchants-goods.ts'
import { demoGoods } from '#database/demo/goods.ts'
import { historyOf } from '#database/demo/history.ts'
import type { DemoListing, DemoPeople, DemoPerson } from '#database/demo/listing.ts'

export type ListedDemo = { id: string; sellerId: string; photos: readonly string[] }

const DAY_MS = 24 * 3_600_000
const DURATION_DAYS = 14

/** What the market of the demo shows, with bids that follow the rules. The closer ends the listings whose time is over. */
export const insertDemoListings = (client: pg.Client, people: DemoPeople): Promise<ListedDemo[]> =>
  insertListings(client, people, [...demoGoods, ...moreDemoGoods])

export async function insertListings(client: pg.Client, people: DemoPeople, listings: readonly DemoListing[]): Promise<ListedDemo[]> {
  const { rows } = await client.query<{ now: Date }>('select app_now() as now')
  const now = rows[0]?.now ?? new Date(NaN)
  const made = listings.map((listing) => rowsOf(listing, people, now))
  for (const table of ['listings', 'bids', 'bid_standings', 'awards', 'listing_events'] as const) {
    await insertAll(
      client,
      table,
      made.flatMap((one): readonly object[] => one[table]),
    )
  }
  return made.map(({ listed }) => listed)
}

function rowsOf(listing: DemoListing, people: DemoPeople, now: Date) {
  const id = listing.id ?? randomUUID()
  const seller = people.get(listing.by)
  if (!seller) throw new Error(`the demo has no ${listing.by}`)
  const ends = new Date(Math.floor(now.getTime() / 1000) * 1000 + listing.endsIn * 60_000)
  const began = new Date(ends.getTime() - DURATION_DAYS * DAY_MS)
  const { bids, standings, outcome } = bidsOf(listing, { id, people, began, ends, now })
  const history = historyOf(listing, { id, people, began, ends, now, standings, outcome })
  const [start_price, price_basis, weight_kg] = listing.price
  return {
    listed: { id, sellerId: seller.id, photos: listing.photos },
    listings: [
      {
        id,
        seller_id: seller.id,
        status: history.status,
        former_status: history.former_status,
        entered_at: history.entered_at,
        title: listing.title,
        description: listing.description,
        material_id: listing.material,
        grade: listing.grade ?? null,
        ewc_code: materials[listing.material].ewc_code,
        price_basis,
        weight_kg,
        start_price,
        reservation_price: listing.reservation ?? null,
        transfer_method_id: listing.transfer ?? 1,
        seller_invoices: listing.seller_invoices ?? false,
        accepts_deferred_payment: listing.accepts_deferred_payment ?? false,
        extends_on_late_bids: true,
        serial_numbers: listing.restricted?.serial_numbers ?? null,
        source: listing.restricted?.source ?? null,
        ...addressOf(listing, seller),
        duration_days: DURATION_DAYS,
        ...history.times,
        ...outcome,
        can_offer_at_reservation_price: false,
        kyc_status: history.kyc_status,
      },
    ],
    bids,
    bid_standings: history.standings,
    awards: history.awards,
    listing_events: history.events,
  }
}

function addressOf({ at }: DemoListing, seller: DemoPerson) {
  const { line, town, country, postCode, latitude, longitude } = at
    ? { line: at[0], town: at[1], country: at[2], postCode: at[3], latitude: at[4], longitude: at[5] }
    : seller.address
  return { address_line_1: line, town, county: country, post_code: postCode, latitude, longitude }
}

/** All rows of a table in one query; every row has the columns of the first. */
export async function insertAll(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).join(', ')
  await client.query(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`, [
    JSON.stringify(rows),
  ])
}
