import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import { demoUser } from '#tests/support/people.ts'
import type { Client } from '#tests/support/client.ts'
import { openDemoYard, sendBid } from '#tests/support/demo-yard.ts'

const { yard, seller, buyer, rival, sellerId, list } = await openDemoYard()

const see = async (client: Client, id: string) => (await client.get(`/api/v1/listings/${id}`)).body.data

test('a bid over HTTP leads, and everybody sees the price it led to', async () => {
  const id = await list()
  const { status, body } = await sendBid(buyer, id, { amount: 100_00, max_amount: 500_00 })
  assert.equal(status, 201)
  assert.deepEqual(
    [body.data.bid.is_leading, body.data.bid.current_price.value, body.data.listing.current_price.value],
    [true, 100_00, 100_00],
  )
  assert.deepEqual(body.data.listing.my_latest_bid.bid_status, { id: 1, name: 'Active', label: 'Active' })
  const second = await sendBid(rival, id, { amount: 200_00 })
  assert.deepEqual(
    [second.status, second.body.data.bid.is_leading, second.body.data.listing.my_latest_bid.bid_status.name],
    [201, false, 'Outbid'],
  )
  const seen = await see(yard.client(), id)
  assert.deepEqual([seen.current_price, seen.minimum_bid.value, seen.bid_count], [{ value: 205_00, currency: 'GBP' }, 210_00, 2])
})

test('a bid that is too low is a 409 that carries the minimum', async () => {
  const id = await list()
  const { status, body } = await sendBid(buyer, id, { amount: 99_99 })
  assert.deepEqual(
    [status, body.code, body.minimum_bid, body.message],
    [409, 'bid_too_low', { value: 100_00, currency: 'GBP' }, 'Bid at least £100.00.'],
  )
})

test('the same Idempotency-Key answers the same, with another body 422', async () => {
  const id = await list()
  const key = randomUUID()
  const [first, second] = [await sendBid(buyer, id, { amount: 100_00 }, key), await sendBid(buyer, id, { amount: 100_00 }, key)]
  assert.deepEqual([first.status, second.status, second.body.data.bid], [201, 201, first.body.data.bid])
  assert.equal((await sendBid(buyer, id, { amount: 200_00 }, key)).status, 422)
  assert.equal((await see(yard.client(), id)).bid_count, 1)
})

test('23: basic and seller may not bid, nor may a visitor or somebody who has not finished onboarding', async () => {
  const id = await list()
  for (const name of ['basic', 'trade', 'new'] as const)
    assert.equal((await sendBid(await demoUser(yard, name), id, { amount: 100_00 })).status, 403, name)
  assert.equal((await sendBid(yard.client(), id, { amount: 100_00 })).status, 401)
  assert.equal((await see(yard.client(), id)).bid_count, 0)
})

test('24: the owner may not bid', async () => {
  const { status, body } = await sendBid(seller, await list(), { amount: 100_00 })
  assert.deepEqual([status, body.code], [403, 'own_listing'])
})

test('33: amounts that are not whole pence are 422, and no row is written', async () => {
  const id = await list()
  for (const amount of [1.5, '100', null, true, [5], -1, 0, 1e21, 9007199254740993, undefined]) {
    assert.equal((await sendBid(buyer, id, { amount })).status, 422, String(amount))
  }
  assert.equal((await sendBid(buyer, id, { amount: 200_00, max_amount: 100_00 })).status, 422)
  assert.equal((await see(yard.client(), id)).bid_count, 0)
})

test('22: an id that is none is 404, never a fault', async () => {
  for (const id of ['-1', '0', '9223372036854775808', '1e3', '%00', '..%2f', randomUUID(), 'a'.repeat(150)]) {
    const answers = [
      await buyer.get(`/api/v1/listings/${id}`),
      await buyer.get(`/api/v1/listings/${id}/bids`),
      await sendBid(buyer, id, { amount: 100_00 }),
    ]
    for (const { status } of answers) assert.ok([404, 422].includes(status), `${id}: ${status}`)
  }
})

test('26: the reservation price and the address are shown to nobody but the owner', async () => {
  const id = await list({ reservation_price: 777_77, post_code: 'S9 3TY', address_line_1: 'Secret Yard' })
  await sendBid(buyer, id, { amount: 100_00 })
  for (const client of [yard.client(), buyer, rival]) {
    const answer = await client.get(`/api/v1/listings/${id}`)
    assert.doesNotMatch(JSON.stringify(answer.body), /77777|Secret Yard|3TY|53\.478/)
    assert.deepEqual(
      [answer.body.data.has_reservation_price, answer.body.data.reservation_met, answer.body.data.reservation_price],
      [true, false, null],
    )
  }
  assert.equal((await see(seller, id)).reservation_price.value, 777_77)
})

test('bidders are numbers to everybody but the seller', async () => {
  const id = await list()
  await sendBid(buyer, id, { amount: 100_00 })
  await sendBid(rival, id, { amount: 110_00 })
  const names = async (client: Client) =>
    (await client.get(`/api/v1/listings/${id}/bids`)).body.data.map(({ bidder }: { bidder: string }) => bidder)
  assert.deepEqual(await names(yard.client()), ['Bidder 2', 'Bidder 1'])
  assert.deepEqual(await names(buyer), ['Bidder 2', 'Bidder 1'])
  assert.deepEqual(await names(seller), ['Pugh Non-Ferrous', 'Tyseley Recycling Ltd'])
})

test('the bid history shows what was bid: the bid at its amount, automatic answers as such, and nothing of a maximum', async () => {
  const id = await list({ start_price: 1_000_00 })
  await sendBid(buyer, id, { amount: 1_000_00, max_amount: 2_000_00 })
  await sendBid(rival, id, { amount: 1_130_00 })
  await sendBid(buyer, id, { amount: 2_400_00 })
  const history = async (client: Client) => (await client.get(`/api/v1/listings/${id}/bids`)).body.data
  const shown = (row: {
    seq: number
    bidder: string
    amount: { value: number }
    is_automatic: boolean
    price_after: { value: number }
  }) => [row.seq, row.bidder, row.amount.value, row.is_automatic, row.price_after.value]
  assert.deepEqual((await history(rival)).map(shown), [
    [3, 'Bidder 1', 1_155_00, false, 1_155_00],
    [2, 'Bidder 1', 1_155_00, true, 1_155_00],
    [2, 'Bidder 2', 1_130_00, false, 1_155_00],
    [1, 'Bidder 1', 1_000_00, false, 1_000_00],
  ])
  const [mine] = (await history(rival)).filter((row: { is_mine: boolean }) => row.is_mine)
  assert.deepEqual([mine.amount.value, mine.is_leading_after], [1_130_00, false])
  assert.doesNotMatch(JSON.stringify(await history(rival)), /2_?000_?00|240000/)
  assert.deepEqual(
    (await history(seller)).map(({ bidder }: { bidder: string }) => bidder),
    ['Tyseley Recycling Ltd', 'Tyseley Recycling Ltd', 'Pugh Non-Ferrous', 'Tyseley Recycling Ltd'],
  )
})

test('a late bid that moves the end says to when, in the history and in the timeline, by London’s clock', async () => {
  const soon = new Date(Date.now() + 60_000)
  const id = await list({ expires_at: soon, first_expires_at: soon, extends_on_late_bids: true })
  await sendBid(buyer, id, { amount: 100_00 })
  await sendBid(rival, id, { amount: 110_00 })
  const { expires_at } = await see(buyer, id)
  assert.ok(Date.parse(expires_at) > soon.getTime())
  const rows = (await buyer.get(`/api/v1/listings/${id}/bids`)).body.data
  assert.equal(rows[0].extended_to, expires_at)
  assert.ok(Date.parse(rows[1].extended_to) > soon.getTime())
  const events = (await yard.client().get(`/api/v1/listings/${id}/events`)).body.data
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'medium' })
  assert.deepEqual(
    [events.at(-1).name, events.at(-1).label, events.at(-1).by],
    ['late_bid', `Extended to ${clock.format(new Date(expires_at))} by a late bid`, 'Yardbid'],
  )
  const early = await list()
  await sendBid(buyer, early, { amount: 100_00 })
  assert.equal((await buyer.get(`/api/v1/listings/${early}/bids`)).body.data[0].extended_to, null)
})

test('the bid history of more than 50 bids is read by its cursor: every bid once, newest first', async () => {
  const id = await list()
  for (let nth = 0; nth < 60; nth++) await sendBid(nth % 2 ? rival : buyer, id, { amount: 100_00 + nth * 10_00 })
  const read = async (cursor: string) => (await buyer.get(`/api/v1/listings/${id}/bids${cursor}`)).body
  const first = await read('')
  const second = await read(`?cursor=${first.meta.next_cursor}`)
  assert.deepEqual([first.meta.next_cursor, second.meta.next_cursor], ['11', null])
  const bids = [...first.data, ...second.data].filter(({ is_automatic }) => !is_automatic)
  assert.deepEqual(
    bids.map(({ seq }) => seq),
    Array.from({ length: 60 }, (_, nth) => 60 - nth),
  )
  assert.equal((await see(buyer, id)).bid_count, 60)
})

test('what has an issue is its owner’s alone to see', async () => {
  const id = await list({ status: 'HasAdminIssue' })
  assert.equal((await buyer.get(`/api/v1/listings/${id}`)).status, 404)
  assert.equal((await see(seller, id)).status.label, 'Has Admin Issue')
})

test('lists are paged by a cursor: every listing once, also while others are added', async () => {
  const other = await newListing(yard.owner, sellerId, { material_id: 'lead' })
  const mine = new Set<string>()
  for (let nth = 0; nth < 7; nth++) mine.add(await list({ material_id: 'zinc', title: `Zinc ${nth}` }))
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await yard.client().get(`/api/v1/listings?filter[material_id]=zinc&per_page=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (seen.length === 3) await list({ material_id: 'zinc', title: 'Zinc, added meanwhile' })
    cursor = body.meta.next_cursor
  } while (cursor)
  assert.equal(new Set(seen).size, seen.length)
  for (const id of mine) assert.ok(seen.includes(id))
  assert.ok(!seen.includes(other))
})

const filters: [string, (titles: string[]) => void][] = [
  ['filter[search]=gunmetal', (titles) => assert.deepEqual(titles, ['Gunmetal valves'])],
  ['filter[min_price]=9000000', (titles) => assert.deepEqual(titles, ['Gunmetal valves'])],
  ['filter[max_price]=5000', (titles) => assert.deepEqual(titles, ['Cheap tin'])],
  ['filter[search]=gunmetal&filter[max_price]=5000', (titles) => assert.deepEqual(titles, [])],
  ['filter[search]=%27%22%3B--', (titles) => assert.ok(Array.isArray(titles))],
]
for (const [query, holds] of filters) {
  test(`27: ${query}`, async () => {
    await list({ title: 'Gunmetal valves', start_price: 90_000_00, material_id: 'brass' })
    await list({ title: 'Cheap tin', start_price: 10_00, material_id: 'mixed' })
    const { status, body } = await yard.client().get(`/api/v1/listings?${query}`)
    assert.equal(status, 200)
    holds([...new Set<string>(body.data.map(({ title }: { title: string }) => title))])
  })
}

test('27: what is not a filter, a sort or a page of ours is refused or changes nothing', async () => {
  for (const query of [
    'sort=seller_id',
    'per_page=1000000000',
    'per_page=0',
    'filter[material_id]=gold',
    'cursor=nonsense',
    'filter[min_price]=-1',
    'filter[status]=0',
  ]) {
    assert.equal((await yard.client().get(`/api/v1/listings?${query}`)).status, 422, query)
  }
  assert.equal((await yard.client().get('/api/v1/listings?or=1&include=seller')).status, 200)
})
