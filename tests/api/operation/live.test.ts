import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { liveEvents } from '#contract/live.ts'
import type { Client } from '#tests/support/client.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { demoUser } from '#tests/support/people.ts'
import { openStream, type Stream, type StreamEvent } from '#tests/support/stream.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'
import { newClient } from '#tests/support/client.ts'
import { writeSteps } from '#server/features/sales/steps.ts'
import { stepTaken } from '#tests/support/auctions/step.ts'

let yard: Yard
let other: Awaited<ReturnType<Yard['another']>>
let buyer: Client
let rival: Client
let sellerId: string
const streams: Stream[] = []

before(async () => {
  yard = await openYard({ demo: true })
  other = await yard.another()
  buyer = await demoUser(yard, 'buyer')
  rival = await demoUser(yard, 'rival')
  sellerId = await idOf('seller')
})
after(async () => {
  for (const stream of streams) stream.close()
  await yard.close()
})

const idOf = async (name: string) =>
  (await yard.owner.query('select id from users where email = $1', [`${name}@yardbid.test`])).rows[0].id as string
const cookieOf = (client: Client) => ({ cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

type Follow = { at?: string; as?: Client; lastId?: string; headers?: Record<string, string>; more?: string }
async function follow(topics: string, { at = yard.url, as, lastId, headers = {}, more = '' }: Follow = {}): Promise<Stream> {
  const sent = { ...(as && cookieOf(as)), ...(lastId !== undefined && { 'last-event-id': lastId }), ...headers }
  // notifications come in their own time, a moment after what they tell of
  const stream = await openStream(`${at}/api/v1/events?topics=${topics}${more}`, sent, ['notifications'])
  streams.push(stream)
  return stream
}

/** A stream is followed from the moment that it names its first id. */
async function followNow(topics: string, options: Follow = {}): Promise<Stream> {
  const stream = await follow(topics, { more: '&versions=1', ...options })
  await stream.until((events) => events.length > 0)
  assert.equal(stream.events.shift()?.event, 'versions')
  return stream
}

const bid = (client: Client, id: string, amount: number, max?: number) =>
  client.post(`/api/v1/listings/${id}/bids`, { amount, ...(max && { max_amount: max }) }, { 'idempotency-key': randomUUID() })

const of = (kind: string) => (events: StreamEvent[]) => events.some(({ event }) => event === kind)
const kinds = (events: StreamEvent[]) => events.map(({ event }) => event)
const idsRise = (events: StreamEvent[]) => events.every(({ id }, nth) => nth === 0 || Number(id) > Number(events[nth - 1]?.id))

test('a bid arrives at once at whoever follows the listing, on the same and on another process', async () => {
  const id = await newListing(yard.owner, sellerId, { reservation_price: 700_00 })
  const here = await followNow(`listing:${id}`)
  const there = await followNow(`listing:${id}`, { at: other.url })
  const all = await followNow('listings')
  assert.equal((await bid(buyer, id, 100_00)).status, 201)
  for (const stream of [here, there, all]) {
    // everybody's stream tells of other listings too
    const events = await stream.until((heard) => heard.some(({ data }) => data.listing_id === id))
    const event = events.find(({ data }) => data.listing_id === id)
    assert.ok(event)
    assert.equal(event.event, 'listing')
    assert.equal(liveEvents.listing.parse(event.data).version, 1)
    const { current_price, minimum_bid, bid_step, bid_count, status, reservation_met, bids } = event.data
    assert.deepEqual(
      [current_price.value, minimum_bid.value, bid_step.value, bid_count, status, reservation_met],
      [100_00, 105_00, 5_00, 1, 'Active', false],
    )
    assert.deepEqual([bids[0].seq, bids[0].bidder, bids[0].amount.value], [1, 'Bidder 1', 100_00])
  }
  const { body } = await yard.client().get(`/api/v1/listings/${id}`)
  assert.equal(body.data.version, 1)
})

test('the rows of a bid and its automatic answers arrive live as the history shows them, and the beaten maximum only then', async () => {
  const id = await newListing(yard.owner, sellerId)
  const stream = await followNow(`listing:${id}`)
  await bid(buyer, id, 100_00, 150_00)
  await bid(rival, id, 110_00, 120_00)
  await bid(rival, id, 130_00, 500_00)
  const events = await stream.until((all) => all.at(-1)?.data.bid_count === 3)
  const rows = events.flatMap(({ data }) => data.bids)
  const shown = (each: { bidder: string; amount: { value: number }; is_automatic: boolean; is_leading_after: boolean; seq: number }) => [
    each.seq,
    each.bidder,
    each.amount.value,
    each.is_automatic,
    each.is_leading_after,
  ]
  assert.deepEqual(rows.map(shown), [
    [1, 'Bidder 1', 100_00, false, true],
    [2, 'Bidder 2', 110_00, false, false],
    [2, 'Bidder 1', 125_00, true, true],
    [3, 'Bidder 2', 130_00, false, true],
    [3, 'Bidder 1', 150_00, true, false],
    [3, 'Bidder 2', 155_00, true, true],
  ])
  const { body } = await yard.client().get(`/api/v1/listings/${id}/bids`)
  assert.deepEqual(
    body.data.map(({ is_mine: _mine, ...row }: { is_mine: boolean }) => row),
    rows.toReversed(),
  )
})

test('two hundred bids at once on two processes arrive everywhere in order, versions without a gap, and every bid once', async () => {
  const id = await newListing(yard.owner, sellerId)
  const here = await followNow(`listing:${id}`)
  const there = await followNow(`listing:${id}`, { at: other.url })
  const ways = [
    buyer,
    rival,
    newClient(other.url, Object.fromEntries(buyer.cookies)),
    newClient(other.url, Object.fromEntries(rival.cookies)),
  ]
  const answers = await Promise.all(Array.from({ length: 200 }, (_, nth) => bid(ways[nth % 4] as Client, id, 100_00 + nth * 10_00)))
  // each is told yes or no: one that was not would be waited for in vain
  assert.deepEqual(
    answers.filter(({ status }) => status !== 201 && status !== 409),
    [],
  )
  const accepted = answers.filter(({ status }) => status === 201).length
  const hasAll = (events: StreamEvent[]) => events.at(-1)?.data.bid_count === accepted
  const [first, second] = await Promise.all([here.until(hasAll), there.until(hasAll)])
  assert.deepEqual(first, second)
  assert.ok(idsRise(first))
  assert.deepEqual(
    first.map(({ data }) => data.version),
    first.map((_event, nth) => nth + 1),
  )
  // a batch of more than fifty tells of its newest fifty: a page shows no more
  let before = 0
  for (const { data } of first) {
    const told = Math.min(50, data.bid_count - before)
    assert.deepEqual(
      [...new Set(data.bids.map(({ seq }: { seq: number }) => seq))],
      Array.from({ length: told }, (_, nth) => data.bid_count - told + nth + 1),
    )
    before = data.bid_count
  }
})

test('whoever comes back with Last-Event-ID in the midst of bids misses none and gets none twice', async () => {
  const id = await newListing(yard.owner, sellerId)
  const whole = await followNow(`listing:${id}`)
  const seen: StreamEvent[] = []
  let broken = await followNow(`listing:${id}`)
  const bidding = (async () => {
    for (let nth = 0; nth < 40; nth++) await bid(nth % 2 ? buyer : rival, id, 100_00 + nth * 10_00)
  })()
  for (const at of [yard.url, other.url, yard.url, other.url, yard.url]) {
    await broken.until((events) => events.length > 0)
    broken.close()
    await broken.ended
    seen.push(...broken.events)
    // what came in between the last line read and the close is read again: the id of the last line counts
    broken = await follow(`listing:${id}`, { at, lastId: seen.at(-1)?.id ?? '' })
  }
  await bidding
  await broken.until((events) => events.at(-1)?.data.bid_count === 40)
  seen.push(...broken.events)
  await whole.until((events) => events.at(-1)?.data.bid_count === 40)
  assert.deepEqual(seen, whole.events)
})

test('one’s own standing arrives under me before the price that changed it, and nobody else’s does', async () => {
  const id = await newListing(yard.owner, sellerId, { title: 'Cable, stripped', price_basis: 'tonne', weight_kg: 2_000 })
  const mine = await followNow(`listing:${id},me`, { as: buyer })
  const rivals = await followNow('me', { as: rival, at: other.url })
  await bid(buyer, id, 100_00, 300_00)
  await mine.until((events) => events.length === 2)
  await bid(rival, id, 305_00, 900_00)
  await mine.until((events) => events.length === 4)
  await rivals.until((events) => events.length === 1)
  assert.deepEqual(kinds(mine.events), ['standing', 'listing', 'standing', 'listing'])
  assert.deepEqual(
    [mine.events[0], mine.events[2], rivals.events[0]].map((event) => {
      const { bid_status, version, title, price_basis, current_price, minimum_bid, max_price } = liveEvents.standing.parse(event?.data)
      return [bid_status, version, title, price_basis, current_price.value, minimum_bid.value, max_price.value]
    }),
    [
      ['Active', 1, 'Cable, stripped', 'tonne', 100_00, 102_00, 300_00],
      ['Outbid', 2, 'Cable, stripped', 'tonne', 305_00, 307_00, 300_00],
      ['Active', 2, 'Cable, stripped', 'tonne', 305_00, 307_00, 900_00],
    ],
  )
})

test('no stream ever carries the reservation price, an identity, or another’s maximum', async () => {
  const reserved = await newListing(yard.owner, sellerId, { reservation_price: 777_13 })
  const open = await newListing(yard.owner, sellerId)
  const everything = await followNow('listings,me', { as: rival })
  await bid(buyer, reserved, 100_00)
  await bid(rival, reserved, 110_00)
  await bid(buyer, open, 100_00, 654_32)
  await bid(rival, open, 110_00)
  await everything.until((events) => events.some(({ data }) => data.listing_id === open && data.bid_count === 2))
  const { rows } = await yard.owner.query('select id, email, company_name, surname from users')
  for (const secret of [777_13, 654_32, ...rows.flatMap((row) => Object.values<string>(row))])
    assert.ok(!everything.raw().includes(String(secret)), `the stream carries ${secret}`)
})

test('me needs a login, topics must be known, and another site’s page is refused', async () => {
  assert.equal((await follow('me')).status, 401)
  assert.equal((await follow('me', { as: await demoUser(yard, 'temp') })).status, 403)
  for (const topics of ['', 'prices', 'listing:', `listing:${'x'.repeat(101)}`, 'listings,'])
    assert.equal((await yard.client().get(`/api/v1/events?topics=${topics}`)).status, 422, topics)
  assert.equal((await yard.client().get('/api/v1/events')).status, 422)
  const many = (count: number) => Array.from({ length: count }, () => `listing:${randomUUID()}`).join(',')
  assert.equal((await yard.client().get(`/api/v1/events?topics=${many(201)}`)).status, 422)
  assert.equal((await follow(many(200))).status, 200)
  assert.equal((await follow('listings', { headers: { origin: 'https://evil.test' } })).status, 403)
  assert.equal((await follow('listings', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403)
  assert.equal((await follow('listings', { headers: { origin: yard.url, 'sec-fetch-site': 'same-origin' } })).status, 200)
})

test('a stream is not stored, not compressed, not buffered, and says when to come back and where it begins', async () => {
  const stream = await follow('listings', { headers: { 'accept-encoding': 'gzip, br' } })
  assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream/)
  assert.equal(stream.headers['content-encoding'], undefined)
  assert.equal(stream.headers['cache-control'], 'no-store')
  assert.equal(stream.headers['x-accel-buffering'], 'no')
  assert.equal(stream.headers['x-content-type-options'], 'nosniff')
  while (stream.lastId() === '') await new Promise((resolve) => setImmediate(resolve))
  assert.match(stream.raw(), /^retry: 2000\n: [^\n]*\n\nid: \d+\n\n$/)
})

test('streams under me end with their session: logged out, or suspended', async () => {
  for (const end of [
    (client: Client) => client.post('/auth/logout'),
    async () => yard.owner.query(`update users set suspended_at = app_now() where email = 'trade@yardbid.test'`),
  ]) {
    const client = await demoUser(yard, 'trade')
    const listening = await followNow('me', { as: client, at: other.url })
    const reading = await followNow('listings', { as: client })
    await end(client)
    await listening.ended
    reading.close()
  }
})

test('the end of a listing arrives, and with it that it is won', async () => {
  const id = await newListing(yard.owner, sellerId)
  const visitor = await followNow(`listing:${id}`, { at: other.url })
  const winner = await followNow('me', { as: buyer })
  const seller = await followNow('me', { as: await demoUser(yard, 'seller') })
  await bid(buyer, id, 100_00)
  await yard.owner.query(
    `update listings set expires_at = n.t, first_expires_at = n.t from (select date_trunc('milliseconds', app_now()) as t offset 0) n where id = $1`,
    [id],
  )
  const events = await visitor.until((so) => so.length === 2)
  assert.notEqual(events[1]?.data.status, 'Active')
  assert.equal(events[1]?.data.version, 2)
  await winner.until((so) => so.some(({ event, data }) => event === 'standing' && data.bid_status === 'Won'))
  await winner.until(of('sale'))
  assert.equal(liveEvents.sale.parse((await seller.until(of('sale')))[0]?.data).listing_id, id)
})

test('a listing that is taken down tells its followers that it is gone, and nothing more', async () => {
  const id = await newListing(yard.owner, sellerId)
  const visitor = await followNow(`listing:${id}`)
  const step = { listing_id: id, step: 'raise_issue', actor: 'admin' } as const
  await yard.owner.query('begin')
  await writeSteps(yard.owner, [stepTaken({ ...step, from: 'Active', to: 'HasAdminIssue' })])
  await yard.owner.query('commit')
  const [gone] = await visitor.until((so) => so.length === 1)
  assert.deepEqual([gone?.event, Object.keys(gone?.data).sort()], ['gone', ['listing_id', 'server_time', 'status', 'version']])
  await yard.owner.query('begin')
  await writeSteps(yard.owner, [stepTaken({ ...step, from: 'HasAdminIssue', to: 'RemovedByAdmin' })])
  await yard.owner.query('commit')
  const late = await followNow(`listing:${id}`)
  assert.deepEqual(late.events, [])
  assert.equal(visitor.events.length, 1)
})

test('who comes back after longer than events are kept is told to read everything anew', async () => {
  const id = await newListing(yard.owner, sellerId)
  const stream = await followNow(`listing:${id}`)
  await bid(buyer, id, 100_00)
  const [known] = await stream.until((so) => so.length === 1)
  await bid(rival, id, 200_00)
  await stream.until((so) => so.length === 2)
  const { sweepKept } = await import('#server/live/kept.ts')
  const { openDatabase } = await import('#server/db/db.ts')
  const db = openDatabase(yard.databaseUrl, 1)
  await yard.owner.query(`update live_events set at = at - interval '61 minutes'`)
  await sweepKept(db)
  await db.destroy()
  for (const lastId of [known?.id ?? '', '999999999999', 'nonsense']) {
    const back = await follow(`listing:${id}`, { lastId })
    await back.until((so) => so.length === 1)
    assert.equal(back.events[0]?.event, 'reset', lastId)
    await bid(buyer, id, 300_00)
    back.close()
  }
  const newest = await yard.owner.query('select max(id) as id from live_events')
  const back = await followNow(`listing:${id}`, { lastId: newest.rows[0].id })
  assert.deepEqual(back.events, [])
})

test('a reader who is too slow is let go, and the others are not held up', async () => {
  const id = await newListing(yard.owner, sellerId)
  const slow = await followNow('me', { as: buyer })
  const quick = await followNow('me', { as: rival })
  slow.pause()
  const buyerId = await idOf('buyer')
  const rivalId = await idOf('rival')
  // 40 MB: far more than the systems on both sides hold for a reader
  await yard.owner.query(
    `insert into live_events (listing_id, user_id, kind, payload)
     select $1, who, 'sale', jsonb_build_object('version', nth, 'title', case when who = $2 then repeat('x', 200000) else '' end)
     from generate_series(1, 200) as nth, unnest(array[$2, $3]::uuid[]) as who
     order by nth`,
    [id, buyerId, rivalId],
  )
  await yard.owner.query(`select pg_notify('live', '')`)
  await quick.until((events) => events.length === 200)
  slow.resume()
  await slow.ended
  assert.ok(slow.events.length < 200)
  await yard.owner.query('delete from live_events where listing_id = $1', [id])
})

test('a server that stops ends its streams at once', async () => {
  const third = await yard.another({ ROLE: 'web' })
  const stream = await followNow('listings', { at: third.url })
  await Promise.all([third.stop(), stream.ended])
})

test('one address or one user has at most 30 live connections at once; whoever is refused is told when to try again', async () => {
  const { url } = await yard.another({ TRUST_PROXY: '127.0.0.1' })
  const from = (ip: string, as?: Client) => follow('listings', { at: url, headers: { 'x-forwarded-for': ip }, ...(as && { as }) })
  // a customer holds a whole /64 of IPv6
  for (const [nth, network] of ['203.0.113.7', '2001:db8:1:2::'].entries()) {
    const ip = (host: number) => (nth === 0 ? network : `${network}${host}`)
    const opened = await Promise.all(Array.from({ length: 30 }, (_none, host) => from(ip(host + 1))))
    assert.deepEqual(new Set(opened.map(({ status }) => status)), new Set([200]))
    const refused = await from(ip(99))
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '30'])
    assert.equal((await from('198.51.100.1')).status, 200)
    assert.equal((await from(ip(99), buyer)).status, 200, 'a member counts by user')
    opened[0]?.close()
    // the server hears of it when it does
    let again = await from(ip(99))
    while (again.status === 429) again = await from(ip(99))
    assert.equal(again.status, 200)
  }
  await Promise.all(Array.from({ length: 28 }, () => from('192.0.2.1', buyer)))
  assert.equal((await from('192.0.2.2', buyer)).status, 429)
})
