import { readFileSync } from 'node:fs'
import type pg from 'pg'

// Makes a market of any size within the database, with words, materials, prices, places and ends as in a large market.

/** The materials on offer: [material, share of the market, words of titles]. */
const goods: [material: string, share: number, words: string][] = [
  ['copper_bright', 9, 'bright wire stripped millberry granulator copper'],
  ['copper_no_1', 7, 'heavy pipe tube cylinder busbar copper'],
  ['copper_no_2', 6, 'tinned braziery windings domestic copper'],
  ['copper_cable', 10, 'cable armoured house household flex drums'],
  ['brass', 6, 'valves fittings taps honey gunmetal brass'],
  ['aluminium_cast', 4, 'engine blocks gearbox cast aluminium'],
  ['aluminium_sheet', 4, 'roofing cladding sheet painted aluminium'],
  ['aluminium_extrusion', 5, 'windows frames profile offcuts aluminium'],
  ['aluminium_wheels', 4, 'alloy wheels tyres weights palletised'],
  ['ferrous_oa', 6, 'plate girder beam demolition heavy steel'],
  ['ferrous_1_2', 6, 'mixed sheared processed tipper steel'],
  ['ferrous_light_iron', 7, 'light iron white goods loose sheet'],
  ['ferrous_cast', 3, 'radiators bath broken cast iron'],
  ['ferrous_turnings', 2, 'turnings swarf machining dry steel'],
  ['ferrous_bales', 2, 'bales cars depolluted stacked'],
  ['lead', 4, 'flashing roof sheet church lead'],
  ['zinc', 1, 'gutters diecast galvanised zinc'],
  ['stainless', 4, 'kitchen tank dairy 316 304 stainless'],
  ['motors', 3, 'electric motors alternators starter pumps'],
  ['batteries', 2, 'car forklift traction batteries pallets'],
  ['catalytic_converters', 1, 'catalytic converters serial standard'],
  ['mixed', 2, 'yard clearance mixed skip'],
  ['weee', 1, 'servers boards telecoms weee'],
  ['goods_machinery', 1, 'lathe milling press shear conveyor'],
  ['goods_tools', 1, 'spanners drills grinders toolbox'],
  ['goods_stock', 1, 'stock pallets surplus liquidation'],
]

const said = `clean dry stored indoors loaded forklift site collection weekly monthly tonne bags bins stillage pallet crane hiab
  weighbridge ticket provided photos show sample welcome viewing arranged contract factory demolition refurbishment hospital school
  railway dock shipyard farm garage workshop foundry rolling mill electrical plumbing heating engineering surplus offcuts graded
  sorted unsorted contamination attachments plastic rubber paint grease oil free insulated enamelled burnt shredded baled cut
  lengths coils rolls drums sheets bars rods angles channels flats rounds hex billets ingots castings forgings pressings`

/** One in `every` listings has this word, for searches by words of every frequency. */
export const rareWords = Array.from({ length: 24 }, (_none, nth) => ({
  word: `xq${'abcdefghijklmnopqrstuvwx'[nth]}zor`,
  every: Math.round(4 * 1.75 ** nth),
}))

/** Inserts `count` Active listings and their sellers. The search tables are filled from the view that the triggers use. */
export async function buildMarket(owner: pg.Client, count: number): Promise<void> {
  await owner.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; select setseed(0.5)`)
  await owner.query(`
    insert into users (email, password_hash, first_name, surname, business_type, company_name, date_of_birth, contact_number, not_vat_registered, terms_accepted_at, tier)
    select 'seller-' || n || '@example.test', '$argon2id$none', 'A', 'B', 'company', 'Yard ' || n, '1980-01-01', '0', true, app_now(), 'full'
    from generate_series(1, 2000) n`)
  await owner.query(`create temp table bench_places as select * from (values ${places()}) as p (latitude, longitude, town, outcode)`)
  await owner.query('alter table listings disable trigger user')
  await owner.query(insertListings, [
    count,
    goods.flatMap(([material, share]) => Array<string>(share).fill(material)),
    goods.flatMap(([, share, words]) => Array<string>(share).fill(words)),
    said.split(/\s+/),
    rareWords.map(({ word }) => word),
    rareWords.map(({ every }) => every),
    outcodes.length,
  ])
  await owner.query('alter table listings enable trigger user')
  await fillSearch(owner)
  await owner.query('vacuum (analyze)')
}

// inserting so many rows is quicker before the indexes exist
async function fillSearch(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid in ('listing_search'::regclass, 'listing_prices'::regclass) and not indisprimary`,
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  await owner.query('insert into listing_search select * from listing_search_rows')
  await owner.query(`
    insert into listing_prices
    select listing_id, expires_at, created_at, spot, latitude, longitude, price, bid_count, transfer_method_id, material_id from listing_search`)
  for (const { definition } of rows) await owner.query(definition)
  await owner.query('vacuum analyze listing_search')
  await owner.query('vacuum analyze listing_prices')
}

const towns = readFileSync(new URL('../database/uk-outcodes.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split(','))

const places = () =>
  towns
    .map(([outcode, latitude, longitude, town = '']) => `(${latitude}, ${longitude}, '${town.replaceAll("'", "''")}', '${outcode}')`)
    .join(', ')

export const outcodes = towns.flatMap(([outcode]) => outcode ?? [])

// Some districts have far more listings than the rest. Prices log-uniform from £20 to £50,000, half of the listings with
// bids, ends within 14 days.
const insertListings = `
  with dice as materialized (
    select n, random() as of_material, random() as of_place, random() as of_price, random() as of_end, random() as of_bids, random() as of_words
    from generate_series(1, $1::int) n
  ), place as materialized (
    select row_number() over (order by md5(outcode)) as nth, * from bench_places
  ), seller as materialized (
    select row_number() over () as nth, id from users
  ), made as (
    select dice.*, (2000 * power(2500, of_price))::int as price, 1 + floor(of_material * cardinality($2::text[]))::int as kind,
           1 + floor($7::int * power(of_place, 2.2))::int as place_nth, app_now() - of_bids * interval '7 days' as began,
           date_trunc('milliseconds', app_now() + interval '1 hour' + of_end * interval '14 days') as ends,
           greatest(0, floor(of_bids * 40) - 20)::int as bids
    from dice
  )
  insert into listings (seller_id, status, title, description, material_id, price_basis, start_price, transfer_method_id, address_line_1, town, post_code,
    latitude, longitude, duration_days, starts_at, created_at, expires_at, first_expires_at, current_price, bid_count, leader_id, leader_max, leading_bid_id)
  select seller.id, 'Active',
         array_to_string(array(select word from unnest(string_to_array(($3::text[])[kind], ' ')) with ordinality as w (word, at)
                               where (n + at) % 3 <> 0), ' ') || ' ' || (n % 90 + 10) || ' t',
         array_to_string(array(select ($4::text[])[1 + (abs(hashint4(n * 31 + k)::bigint) % cardinality($4::text[]))] from generate_series(1, 14) k), ' ')
           || ' ' || array_to_string(array(select word from unnest($5::text[], $6::int[]) as r (word, every)
                                           where abs(hashint4(n * 7 + every)::bigint) % every = 0), ' '),
         ($2::text[])[kind], 'lot', price, case when of_words < 0.2 then 2 else 1 end, 'Yard', place.town, place.outcode || ' 1AA',
         place.latitude + (of_words - 0.5) * 0.04, place.longitude + (of_end - 0.5) * 0.06, 7, began, began, ends, ends,
         case when bids > 0 then price end, bids, case when bids > 0 then bidder.id end, case when bids > 0 then price end,
         case when bids > 0 then gen_random_uuid() end
  from made
  join place on place.nth = place_nth
  join seller on seller.nth = 1 + n % 2000
  join seller bidder on bidder.nth = 1 + (n + 1) % 2000`
