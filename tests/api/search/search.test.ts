import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '#tests/support/properties.ts'
import { listingSorts } from '#contract/search.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import { mapSpot } from '#domain/search/uk-map.ts'
import { findViolations } from '#database/check.ts'
import { openDatabase, openSearchDatabase, type Db } from '#server/db/db.ts'
import { spotOfPostCode } from '#server/features/search/districts.ts'
import { findMatches, type SearchLimits } from '#server/features/search/search.ts'
import { findInCells } from '#server/features/search/nearest-cells.ts'
import type { Cursor } from '#server/features/search/search-cursor.ts'
import type { Search } from '#server/features/search/search-sql.ts'
import { searchListings } from '#server/features/search/search-listings.ts'
import { newMember } from '#tests/support/auctions/sale.ts'
import { newClient } from '#tests/support/client.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { found, materialIds, newGoods, words, type Goods, type Wanted } from '#tests/support/auctions/market.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

const GOODS = 300

let yard: Yard
let dbs: { db: Db; searchDb: Db }
let seller: string
let market: Goods[]

before(async () => {
  yard = await openYard()
  dbs = { db: openDatabase(yard.databaseUrl, 2), searchDb: openSearchDatabase(yard.databaseUrl, 2) }
  seller = await newMerchant(yard.owner)
  const bidder = await newMerchant(yard.owner)
  // the same market at every run
  let state = 42
  const dice = (sides: number) => (state = (state * 48_271) % 2_147_483_647) % sides
  market = []
  for (let nth = 0; nth < GOODS; nth++) market.push(await newGoods(yard.owner, { seller, bidder }, dice))
})
after(async () => {
  await Promise.all(Object.values(dbs).map((db) => db.destroy()))
  await yard.close()
})

const now = async () => (await yard.owner.query<{ now: Date }>('select app_now() as now')).rows[0]?.now.getTime() ?? 0

/** The ids of all pages, over HTTP. */
async function walkPages(query: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  do {
    const { status, body } = await yard.client().get(`/api/v1/listings?${query}${cursor && `&cursor=${cursor}`}`)
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.meta.next_cursor
  } while (cursor)
  return ids
}

const manchester = spotOfPostCode('M1 4BT')
const tables: [query: string, wanted: Omit<Wanted, 'sort'>][] = [
  ['', {}],
  ['&filter[search]=tank', { text: 'tank' }],
  ['&filter[search]=tank+drum', { text: 'tank drum' }],
  ['&filter[search]=gas', { text: 'gas' }],
  ['&filter[material_id]=lead', { material_id: 'lead' }],
  ['&filter[transfer_method_id]=2', { transfer_method_id: 2 }],
  ['&filter[min_price]=50000', { min_price: 500_00 }],
  ['&filter[max_price]=50000', { max_price: 500_00 }],
  ['&filter[post_code]=m14bt&filter[radius_miles]=60', { near: manchester!, radius_miles: 60 }],
  ['&filter[ending_within]=48h', { endingWithinHours: 48 }],
]
for (const [query, wanted] of tables) {
  for (const sort of listingSorts) {
    test(`paging through the list shows each match once and in order: ${sort}${query}`, async () => {
      const near = sort === 'nearest' && !wanted.near ? '&filter[post_code]=M1' : ''
      const ids = await walkPages(`sort=${sort}&per_page=60${query}${near}`)
      assert.deepEqual(ids, found(market, { near: manchester!, ...wanted, sort }, await now()))
    })
  }
}

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const anyFilter = fc.record({
  text: optional(
    fc.uniqueArray(fc.constantFrom(...words, ...materialIds, 'gas', 'ing'), { minLength: 1, maxLength: 2 }).map((some) => some.join(' ')),
  ),
  material_id: optional(fc.constantFrom<MaterialId>(...materialIds)),
  transfer_method_id: optional(fc.constantFrom(1, 2)),
  min_price: optional(fc.integer({ min: 0, max: 1_000_00 })),
  max_price: optional(fc.integer({ min: 0, max: 1_000_00 })),
  near: fc.constantFrom('M1', 'LS1', 'G51', 'SA1', 'ZE1').map((code) => spotOfPostCode(code)!),
  radius_miles: optional(fc.constantFrom(1, 10, 40, 100, 500)),
  endingWithinHours: optional(fc.constantFrom(3, 24, 100, 1_000)),
  sort: fc.constantFrom(...listingSorts),
})
// limits small and large enough for every strategy to be chosen in a market of 300 listings
const anyLimits = fc.record<SearchLimits>({
  walkRows: fc.constantFrom(1, 10, 100, 6_000),
  rangeRows: fc.constantFrom(0, 20, 6_000),
  collectRows: fc.constantFrom(0, 20, 60_000),
  // from no cells at all to as many as reach beyond the next town
  cells: fc.record({
    firstCells: fc.constantFrom(1, 100, 20_000),
    maxCells: fc.constantFrom(0, 2_000, 60_000),
    maxRows: fc.constantFrom(1, 2_500),
  }),
})

test('any combination of filters, order and limits finds the listings that a scan of the whole market finds, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, anyLimits, fc.constantFrom(7, 24, 60), async (drawn, limits, limit) => {
      const wanted = Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as typeof drawn & Wanted
      const { endingWithinHours, ...search } = wanted
      const ids: string[] = []
      let after: Cursor | undefined
      do {
        const page = await searchListings(dbs, {
          search: { ...search, material_id: drawn.material_id, ...(endingWithinHours && { ending_within: `${endingWithinHours}h` }) },
          after,
          limit,
          viewerId: null,
          limits,
        })
        ids.push(...page.rows.map(({ id }) => id))
        after = page.next
      } while (after)
      assert.deepEqual(ids, found(market, wanted, await now()))
    }),
    { numRuns: Number(process.env['BODIES'] ?? 200) / 2 },
  )
})

test('later pages of the nearest, with ties and with dense or sparse matches, are those of a full scan, and few need a walk from the first listing', async () => {
  // on the map's central meridian, where places to the east are as far as those to the west; and a yard with many listings
  const near = mapSpot(52.2, -2)
  await yard.owner.query(`
    insert into listings (seller_id, status, title, description, material_id, price_basis, start_price, transfer_method_id, address_line_1, town, post_code,
      latitude, longitude, duration_days, starts_at, expires_at, first_expires_at)
    select seller_id, status, 'Sprocket ' || case when n % 4 = 0 then 'chain' else 'wheel' end, description, case when n % 3 = 0 then 'weee' else 'zinc' end,
      price_basis, 1000 + n, 1 + n % 2, address_line_1, town, post_code,
      case when n <= 150 then 52.23 else 52.2 + (n * 7919 % 41 - 20) / 100.0 end, case when n <= 150 then -2.04 else -2 + (n * 104729 % 61 - 30) / 100.0 end,
      1, starts_at, expires_at, first_expires_at
    from (select * from listings where status = 'Active' and expires_at > app_now() + interval '30 minutes' limit 1) l, generate_series(1, 3000) n`)
  const ties = await yard.owner.query(
    `select from listing_search group by spot <-> point($1, $2) having count(distinct map_cell(latitude, longitude)) > 1`,
    [near.x, near.y],
  )
  assert.ok((ties.rowCount ?? 0) > 20)
  const filters: [Omit<Search, 'sort'>, condition: string][] = [
    [{}, 'true'],
    [{ radius_miles: 9 }, 'spot <-> point($1, $2) <= 9'],
    [{ material_id: 'weee' }, `material_id = 'weee'`],
    [{ text: 'chain', transfer_method_id: 1 }, `words @@ 'chain' and transfer_method_id = 1`],
    [{ min_price: 20_00, max_price: 90_00 }, 'price between 2000 and 9000'],
    [{ text: 'tank' }, `words @@ 'tank'`],
  ]
  for (const [filter, condition] of filters) {
    const search: Search = { ...filter, near, sort: 'nearest' }
    const { rows } = await yard.owner.query<{ listing_id: string }>(
      `select listing_id from listing_search where ${condition} and $1::float8 is not null and $2::float8 is not null order by spot <-> point($1, $2), listing_id`,
      [near.x, near.y],
    )
    const ids: string[] = []
    let cursor: Cursor | undefined
    let walks = 0
    do {
      const page = await findMatches(dbs.searchDb, search, { after: cursor, limit: 25 }, { walkRows: 500, rangeRows: 50, collectRows: 500 })
      ids.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      cursor = page.length === 25 && last ? { key: last.key, id: last.id } : undefined
      if (cursor && !(await findInCells({ db: dbs.searchDb, search, page: { after: cursor, limit: 25 } }))) walks++
    } while (cursor)
    assert.deepEqual(
      ids,
      rows.map(({ listing_id }) => listing_id),
      JSON.stringify(filter),
    )
    // the 300 listings of the other towns are too few and too far apart
    if (rows.length > 500) assert.ok(walks <= 20, `${walks} pages of ${JSON.stringify(filter)}`)
  }
  await yard.owner.query(`update listings set status = 'Expired' where title like 'Sprocket%'`)
})

test('a word in the title, description, material or town is found by any of its inflections', async () => {
  const id = await newListing(yard.owner, seller, {
    title: 'Corroded pumps',
    description: 'Seized bearings',
    material_id: 'motors',
    town: 'Wrexham',
  })
  for (const text of ['corroding', 'pump', 'BEARING', 'motor', 'wrexham', 'pumps seized', 'wrex', 'pump, seized!'])
    assert.deepEqual(await walkPages(`filter[search]=${encodeURIComponent(text)}`), [id], text)
  for (const text of ['pump copper', 'umps', 'the', '!?', "'", '& | ! ( ) : *', '\\', 'pump:*'])
    assert.equal((await walkPages(`filter[search]=${encodeURIComponent(text)}`)).includes(id), text === 'pump:*', text)
  await yard.owner.query(`update listings set status = 'Expired' where id = $1`, [id])
  assert.deepEqual(await walkPages('filter[search]=wrexham'), [])
})

test('No.1 is found whether it was written as one word, as two, or is part of the material’s name', async () => {
  const ids = [
    await newListing(yard.owner, seller, { title: 'Zebrawood cuttings, No.1', material_id: 'brass' }),
    await newListing(yard.owner, seller, { title: 'Zebrawood cuttings No 1', material_id: 'brass' }),
    await newListing(yard.owner, seller, { title: 'Zebrawood cuttings', material_id: 'copper_no_1' }),
  ]
  await newListing(yard.owner, seller, { title: 'Zebrawood cuttings, No.2', material_id: 'copper_no_2' })
  for (const text of ['No.1 zebrawood', 'zebrawood no.1'])
    assert.deepEqual((await walkPages(`filter[search]=${encodeURIComponent(text)}`)).toSorted(), ids.toSorted(), text)
  await yard.owner.query(`update listings set status = 'Expired' where title like 'Zebrawood%'`)
})

test('distances are shown in whole miles if the search has a post code, and not without one', async () => {
  const distances = async (query: string) =>
    (await yard.client().get(`/api/v1/listings?per_page=60&${query}`)).body.data.map((each: any) => each.location.distance_miles)
  assert.ok((await distances('')).every((miles: unknown) => miles === null))
  const shown: number[] = await distances('sort=nearest&filter[post_code]=LS1')
  assert.ok(shown.every((miles) => Number.isInteger(miles)))
  assert.deepEqual(
    shown,
    shown.toSorted((one, other) => one - other),
  )
  assert.equal(shown[0], 0)
})

test('a listing past its end is not shown, even if it is not closed yet', async () => {
  const id = await newListing(yard.owner, seller, { title: 'Zeppelin' })
  // held at once, so that the closer has to leave it alone
  await yard.owner.query(`
    begin;
    update listings set expires_at = date_trunc('milliseconds', app_now()) - interval '1 second', first_expires_at = null where id = '${id}';
    commit;
    begin;
    select from listings where id = '${id}' for update`)
  for (const sort of listingSorts) assert.ok(!(await walkPages(`sort=${sort}&filter[search]=zeppelin&filter[post_code]=M1`)).includes(id))
  await yard.owner.query('commit')
})

test('a bid moves a listing in the orders of price and bids, and only Active listings are found', async () => {
  const bidder = await newMerchant(yard.owner)
  const id = await newListing(yard.owner, seller, { title: 'Quern', start_price: 5_00 })
  assert.equal((await walkPages('sort=price_low&per_page=1&filter[max_price]=2000'))[0], id)
  await yard.owner.query(
    `update listings set current_price = 9999999, leader_id = $2, leader_max = 9999999, leading_bid_id = gen_random_uuid(), bid_count = 77 where id = $1`,
    [id, bidder],
  )
  assert.equal((await walkPages('sort=price_high&filter[min_price]=9000000'))[0], id)
  assert.equal((await walkPages('sort=most_bids&filter[search]=quern'))[0], id)
  const broken = (await findViolations(yard.owner)).filter(({ rule }) => rule.startsWith('search'))
  assert.deepEqual(broken, [])
  await yard.owner.query(`update listings set status = 'HasAdminIssue' where id = $1`, [id])
  assert.deepEqual(await walkPages('filter[search]=quern'), [])
  await yard.owner.query(`update listings set status = 'Active', title = 'Mill stone' where id = $1`, [id])
  assert.deepEqual(await walkPages('filter[search]=quern'), [])
  assert.deepEqual(await walkPages('filter[search]=mill'), [id])
})

test('ended listings are shown with the last end first, without those that an administrator holds or removed', async () => {
  const ago = async (hours: number, status: string, more = {}) => {
    const at = new Date((await now()) - hours * 3_600_000)
    return newListing(yard.owner, seller, { status, expires_at: at, first_expires_at: at, title: 'Anchor chain', ...more })
  }
  const first = await ago(5, 'Expired')
  const second = await ago(3, 'PendingPayment')
  const third = await ago(4, 'ExchangeComplete', { material_id: 'lead' })
  for (const status of ['HasAdminIssue', 'RemovedByAdmin']) await ago(2, status)
  const all = await walkPages('filter[status]=ended&filter[search]=anchor&per_page=2&sort=newest')
  assert.deepEqual(all, [second, third, first])
  assert.deepEqual(await walkPages('filter[status]=ended&filter[search]=anchor&filter[material_id]=lead'), [third])
  assert.deepEqual(await walkPages('filter[status]=ended&filter[search]=anchor&filter[post_code]=SA1&filter[radius_miles]=20'), [])
  assert.deepEqual(await walkPages('filter[search]=anchor'), [])
})

test('the map shows few matches as points and many as clusters, within its bounds', async () => {
  const map = async (query = '') => (await yard.client().get(`/api/v1/listings/map?${query}`)).body.data
  const leeds = await map('filter[bounds]=53.5,-2,54,-1&filter[material_id]=brass')
  const expected = found(
    market,
    { material_id: 'brass', near: spotOfPostCode('LS1')!, radius_miles: 15, sort: 'ending_soonest' },
    await now(),
  )
  assert.deepEqual(
    leeds.points.map(({ id }: { id: string }) => id),
    expected,
  )
  const [point] = leeds.points
  assert.deepEqual([point.latitude, point.longitude, point.material_group, point.price.currency], [53.79, -1.55, 'Brass', 'GBP'])
  assert.equal(leeds.is_complete, true)
  await yard.owner.query(`
    insert into listings (seller_id, status, title, description, material_id, price_basis, start_price, transfer_method_id, address_line_1, town, post_code,
      latitude, longitude, duration_days, starts_at, expires_at, first_expires_at)
    select seller_id, status, 'Washer', description, 'weee', price_basis, start_price, transfer_method_id, address_line_1, town, post_code,
      50 + n % 9, -5 + n % 6, 1, starts_at, expires_at, first_expires_at
    from (select * from listings where status = 'Active' and expires_at > app_now() + interval '30 minutes' limit 1) l, generate_series(1, 1200) n`)
  const many = await map('filter[material_id]=weee')
  assert.equal(many.points.length, 0)
  assert.equal(
    many.clusters.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    1_200,
  )
  assert.ok(many.clusters.length > 5 && many.clusters.length < 200)
  await yard.owner.query(`update listings set status = 'Expired' where title = 'Washer'`)
})

test('27: an unknown filter value, order or cursor is refused under its field', async () => {
  const cursor = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const id = market[0]?.id
  for (const [query, field] of [
    ['sort=price', 'sort'],
    ['sort=expires_at;drop', 'sort'],
    ['sort=newest&sort=nearest', 'sort'],
    ['per_page=1000000000', 'per_page'],
    ['per_page=1e9', 'per_page'],
    ['filter[status]=0', 'filter[status]'],
    ['filter[status]=Processing', 'filter[status]'],
    ['filter[search]=a&filter[search]=b', 'filter[search]'],
    ['filter[search]=%00', 'filter[search]'],
    [`filter[search]=${'a'.repeat(101)}`, 'filter[search]'],
    ['filter[transfer_method_id]=3', 'filter[transfer_method_id]'],
    ['filter[min_price]=1&filter[min_price]=2', 'filter[min_price]'],
    ['filter[max_price]=NaN', 'filter[max_price]'],
    ['filter[max_price]=1.5', 'filter[max_price]'],
    ['filter[ending_within]=1 day', 'filter[ending_within]'],
    ['filter[ending_within]=1bd', 'filter[ending_within]'],
    ['sort=nearest', 'filter[post_code]'],
    ['filter[radius_miles]=10', 'filter[post_code]'],
    ['filter[post_code]=ZZ9 9ZZ', 'filter[post_code]'],
    ['filter[post_code]=Leeds', 'filter[post_code]'],
    ['filter[post_code]=M1&filter[radius_miles]=0', 'filter[radius_miles]'],
    ['filter[post_code]=M1&filter[radius_miles]=1e9', 'filter[radius_miles]'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${cursor(['newest', '1', id])}`, 'cursor'],
    [`cursor=${cursor(['ending_soonest', '1; drop table listings', id])}`, 'cursor'],
    [`cursor=${cursor(['ending_soonest', '1', 'x'])}`, 'cursor'],
    [`cursor=${cursor({ 0: 'ending_soonest' })}`, 'cursor'],
    [`cursor=${cursor(null)}`, 'cursor'],
  ]) {
    const { status, body } = await yard.client().get(`/api/v1/listings?${query}`)
    assert.equal(status, 422, query)
    assert.deepEqual(Object.keys(body.errors), [field], query)
  }
  for (const bounds of ['1,2,3', '54,-2,53,-1', '53,-1,54,-2', 'a,b,c,d', '1e9,0,1,1'])
    assert.equal((await yard.client().get(`/api/v1/listings/map?filter[bounds]=${bounds}`)).status, 422, bounds)
  for (const query of [
    'filter[or]=1',
    'filter[seller_id]=1',
    'filter[max_price]=1000000000',
    `cursor=${cursor(['ending_soonest', '9999999999999999', id])}`,
  ])
    assert.equal((await yard.client().get(`/api/v1/listings?${query}`)).status, 200, query)
})

test('23: a search or a map that takes too long is given up: 503, and its connection is free again', async () => {
  await yard.owner.query('begin')
  await yard.owner.query('lock table listing_search in access exclusive mode')
  const paths = ['/api/v1/listings', '/api/v1/listings/map']
  const answers = await Promise.all(paths.map((path) => yard.client().get(path)))
  await yard.owner.query('rollback')
  for (const { status, headers } of answers) assert.deepEqual([status, headers.get('retry-after')], [503, '2'])
  for (const path of paths) assert.equal((await yard.client().get(path)).status, 200)
})

test('23: visitors of one address search 240 times a minute; other addresses and members are not held up', async (t) => {
  const behindProxy = await yard.another({ TRUST_PROXY: 'loopback' })
  t.after(() => behindProxy.stop())
  const search = async (path: string, address: string) =>
    (await newClient(behindProxy.url).get(path, { 'x-forwarded-for': address })).status
  const first = await Promise.all(Array.from({ length: 240 }, () => search('/api/v1/listings?per_page=1', '198.51.100.9')))
  assert.deepEqual(new Set(first), new Set([200]))
  assert.equal(await search('/api/v1/listings?per_page=1', '198.51.100.9'), 429)
  assert.equal(await search('/api/v1/listings/map', '198.51.100.9'), 429)
  assert.equal(await search('/api/v1/listings/map', '198.51.100.10'), 200)
  const { client } = await newMember(yard)
  const member = newClient(behindProxy.url, Object.fromEntries(client.cookies))
  assert.equal((await member.get('/api/v1/listings', { 'x-forwarded-for': '198.51.100.9' })).status, 200)
})
