import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '#tests/support/files/made-files.ts'
import { openDemoYard, sendBid } from '#tests/support/demo-yard.ts'
import { upload } from '#tests/support/files/stores.ts'

// The security checklist, items 25, 27 and 33, where they are about listings and bids.

const { yard, seller, buyer, sellerId, list, rowOf } = await openDemoYard()

const form = {
  title: 'Copper',
  description: 'Clean',
  material_id: 'copper_bright',
  price_basis: 'lot',
  start_price: 100_00,
  duration_days: 3,
  transfer_method_id: 1,
  address: { address_line_1: '1 Yard', town: 'Leeds', post_code: 'LS1 4AP', latitude: 53.79, longitude: -1.54 },
}

test('25: what is not the seller’s or the bidder’s to set is refused by name, and nothing is made', async () => {
  const photo = (await upload(seller, { bytes: await png(), mime_type: 'image/png' })).id
  const id = await list()
  const count = async () => (await yard.owner.query('select count(*)::int as made from listings')).rows[0].made
  const before = await count()
  const fields = [
    'tier',
    'permissions',
    'onboarded',
    'suspended',
    'is_owner',
    'status',
    'current_price',
    'seller_id',
    'role',
    'subscription',
    'id',
    'bid_count',
    'leader_id',
    'kyc_status',
    'can_offer_at_reservation_price',
    'bidder_id',
    'seq',
    'accepted_at',
  ]
  for (const field of fields) {
    const onListing = await seller.post('/api/v1/listings', { ...form, media: [photo], [field]: 1 })
    assert.deepEqual([onListing.status, Object.keys(onListing.body.errors)], [422, [field]], field)
    const onBid = await sendBid(buyer, id, { amount: 100_00, [field]: 1 })
    assert.deepEqual([onBid.status, Object.keys(onBid.body.errors)], [422, [field]], field)
  }
  assert.equal(await count(), before)
  assert.equal((await rowOf(id)).bid_count, 0)
})

test('27: whatever the list is asked for, it shows no hidden listing, no more than a page, and never breaks', async () => {
  const hidden = new Set<string>()
  // one in Processing would become Active meanwhile
  for (const status of ['HasAdminIssue', 'RemovedByAdmin']) hidden.add(await list({ status, title: 'Hidden copper' }))
  const queries = [
    'filter[status]=0',
    'filter[status]=Processing',
    'filter[status][]=active',
    'filter[seller_id]=x',
    `filter[seller_id]=${sellerId}`,
    'filter[reservation_price]=1',
    'filter[or][status]=1',
    'or[0][status]=Processing',
    'or=1',
    'filter=all',
    'filter[]=x',
    'filter[__proto__]=x',
    'include=bids',
    'include=seller.email,bids.bidder',
    'fields=reservation_price',
    'with=bids',
    'expand=leader',
    'sort=-reservation_price',
    'sort=reservation_price',
    'sort=leader_max',
    'sort=id;drop table bids',
    'sort[]=newest',
    'sort=newest&sort=x',
    'page[size]=1e9',
    'per_page=1e9',
    'per_page=-1',
    'per_page=61',
    'per_page[]=5',
    'page=2',
    'offset=-1',
    'limit=all',
    'cursor=',
    'cursor=%00',
    'cursor=eyJhdCI6IngiLCJpZCI6IngifQ',
    'filter[search]=hidden',
    'filter[search]=%25',
    "filter[search]=' or 1=1 --",
    'filter[search]=a|!b&(',
    'filter[search][]=x',
    'filter[min_price]=1e3',
    'filter[min_price]=NaN',
    'filter[min_price][gt]=1',
    'filter[max_price]=9007199254740993',
    'filter[transfer_method_id]=1 or 1=1',
  ]
  for (const query of queries) {
    for (const client of [yard.client(), buyer]) {
      const { status, body } = await client.get(`/api/v1/listings?${encodeURI(query).replaceAll('%25', '%')}`)
      assert.ok([200, 400, 422].includes(status), `${query}: ${status} ${JSON.stringify(body)}`)
      if (status !== 200) continue
      assert.ok(body.data.length <= 60, query)
      for (const { id } of body.data) assert.equal(hidden.has(id), false, query)
    }
  }
})

const notWholePence = [
  '1.5',
  '"100"',
  'null',
  'true',
  '[5]',
  '{}',
  '-1',
  '0',
  '1e21',
  '9007199254740993',
  '1e-7',
  '"NaN"',
  '1000000001',
  '2e999',
]

test('33: an amount or a maximum that is not whole pence is refused, and no row is written', async () => {
  const id = await list()
  const ask = (raw: string) => buyer.ask('POST', `/api/v1/listings/${id}/bids`, { raw, headers: { 'content-type': 'application/json' } })
  for (const value of notWholePence) {
    assert.equal((await ask(`{"amount": ${value}}`)).status, 422, value)
    assert.equal((await ask(`{"amount": 10000, "max_amount": ${value}}`)).status, 422, value)
  }
  for (const raw of [
    '{"amount": NaN}',
    '{"amount": Infinity}',
    '{"amount": 010000}',
    '{"amount": 0x2710}',
    '{"amount": 10_000}',
    '{"amount": 10000,}',
  ])
    assert.equal((await ask(raw)).status, 400, raw)
  for (const raw of [
    '{"amount": 10000, "__proto__": {"amount": 1}}',
    '{"amount": 10000, "constructor": {"prototype": {"x": 1}}}',
    '[{"amount": 10000}]',
    '"10000"',
    '10000',
    'null',
  ])
    assert.ok([400, 422].includes((await ask(raw)).status), raw)
  assert.equal((await rowOf(id)).bid_count, 0)
  assert.equal((await yard.owner.query('select from bids where listing_id = $1', [id])).rowCount, 0)
})
