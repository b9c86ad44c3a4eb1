import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/auctions/sale.ts'
import { demoUser, type DemoName } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

type Person = { client: Client; id: string }

let yard: Yard
let buyer: Person
let rival: Person
before(async () => {
  yard = await openYard({ demo: true })
  ;[buyer, rival] = await Promise.all([known('buyer'), known('rival')])
})
after(() => yard.close())

const known = async (name: DemoName): Promise<Person> => {
  const client = await demoUser(yard, name)
  return { client, id: (await client.get('/api/v1/auth/me')).body.data.id }
}

/** Somebody who has nothing yet, and may bid. */
const newcomer = (): Promise<Person> => newMember(yard)

const inMinutes = (minutes: number) => {
  const end = new Date(Date.now() + minutes * 60_000)
  return { expires_at: end, first_expires_at: end }
}
const ago = { starts_at: new Date(Date.now() - 86_400_000 * 9) }

const bid = async ({ client }: Person, id: string, amount: number, max_amount = amount) =>
  assert.equal((await client.post(`/api/v1/listings/${id}/bids`, { amount, max_amount })).status, 201)
const watch = ({ id }: Person, listing: string) =>
  yard.owner.query('insert into watches (user_id, listing_id) values ($1, $2)', [id, listing])

/** As the steps that are not live yet will leave it. */
const set = (listing: string, status: string, standings: Record<string, string> = {}) =>
  Promise.all([
    yard.owner.query('update listings set status = $2 where id = $1', [listing, status]),
    ...Object.entries(standings).map(([bidder, standing]) =>
      yard.owner.query('update bid_standings set status = $3 where listing_id = $1 and bidder_id = $2', [listing, bidder, standing]),
    ),
  ])

const mine = async ({ client }: Person, query = '') => (await client.get(`/api/v1/my-listings${query}`)).body
const activity = async ({ client }: Person, query = '') => (await client.get(`/api/v1/activity${query}`)).body
const group = (name: string) => `?filter[status]=${name}`
const titles = (page: { data: { title: string }[] }) => page.data.map(({ title }) => title)

test('My listings: each stands in one group, what waits for the seller is counted besides and comes first', async () => {
  const seller = await newcomer()
  const list = (title: string, changes: Record<string, unknown> = {}) => newListing(yard.owner, seller.id, { title, ...changes })
  await list('ends later', inMinutes(600))
  await list('ends soon', inMinutes(60))
  await list('expired', { status: 'Expired', ...inMinutes(-600) })
  await list('expired today', { status: 'Expired', ...inMinutes(-60) })
  const unmet = await list('may be offered', { reservation_price: 900_00, ...inMinutes(60) })
  await bid(buyer, unmet, 100_00)
  await yard.owner.query(`update listings set status = 'Expired', can_offer_at_reservation_price = true where id = $1`, [unmet])
  await list('papers due', { status: 'DocumentsRequired', ...inMinutes(-300) })
  await list('unpaid', { status: 'PendingPayment', ...inMinutes(-200) })
  await list('missed', { status: 'MissedPayment', ...inMinutes(-100) })
  await list('finished', { status: 'ExchangeComplete', ...inMinutes(-900) })
  await list('looked into', { status: 'HasAdminIssue' })

  const all = await mine(seller)
  assert.deepEqual(all.meta.counts, { waiting: 3, running: 3, sold: 2, unsold: 4, done: 1 })
  assert.deepEqual(titles(all).slice(0, 5), ['papers due', 'missed', 'may be offered', 'ends soon', 'ends later'])
  assert.deepEqual(titles(all).slice(5), ['looked into', 'expired today', 'unpaid', 'expired', 'finished'])
  assert.deepEqual(titles(await mine(seller, group('waiting'))), ['papers due', 'missed', 'may be offered'])
  assert.deepEqual(titles(await mine(seller, group('sold'))), ['papers due', 'unpaid'])
  assert.deepEqual(titles(await mine(seller, group('unsold'))), ['missed', 'may be offered', 'expired today', 'expired'])
  assert.deepEqual((await mine(seller, group('done'))).meta.counts, all.meta.counts, 'counts are of everything')
  assert.equal((await seller.client.get(`/api/v1/my-listings${group('bidding')}`)).status, 422)
})

test('Activity: bid on, won, offered, watched and lost, each once', async () => {
  const seller = await newcomer()
  const person = await newcomer()
  const list = (title: string, minutes: number) => newListing(yard.owner, seller.id, { title, ...ago, ...inMinutes(minutes) })

  const leading = await list('leading', 30)
  await bid(person, leading, 100_00, 200_00)
  const outbid = await list('outbid', 90)
  await bid(person, outbid, 100_00)
  await bid(rival, outbid, 150_00)
  const both = await list('bid on and watched', 20)
  await bid(person, both, 100_00)
  await watch(person, both)
  const watched = await list('watched', 60)
  await watch(person, watched)
  const hidden = await list('taken down', 60)
  await watch(person, hidden)
  await set(hidden, 'RemovedByAdmin')

  const end = async (title: string, status: string, standing: string) => {
    const id = await list(title, 60)
    await bid(person, id, 100_00)
    await set(id, status, { [person.id]: standing })
    return id
  }
  await end('won', 'PendingPayment', 'Won')
  await end('on its way', 'InvoiceRequired', 'Won')
  await end('offered', 'NextBidder', 'OfferedToYou')
  await end('closed', 'ExchangeComplete', 'Closed')
  await end('finished', 'ExchangeComplete', 'Won')
  const over = await list('watched to its end', 60)
  await watch(person, over)
  await set(over, 'PendingPayment')

  const all = await activity(person)
  assert.deepEqual(all.meta.counts, { waiting: 2, bidding: 3, won: 2, offered: 1, watching: 1, lost: 2, done: 1 })
  assert.equal(all.data.length, 10)
  assert.deepEqual(titles(all).slice(2, 6), ['outbid', 'bid on and watched', 'leading', 'watched'])
  assert.deepEqual(titles(await activity(person, group('waiting'))).toSorted(), ['offered', 'won'])
  assert.deepEqual(titles(await activity(person, group('bidding'))), ['outbid', 'bid on and watched', 'leading'], 'outbid first')
  assert.deepEqual(titles(await activity(person, group('watching'))), ['watched'])
  assert.deepEqual(titles(await activity(person, group('lost'))).toSorted(), ['closed', 'watched to its end'])
  for (const { id } of all.data) assert.equal((await person.client.get(`/api/v1/listings/${id}`)).status, 200, 'each can be opened')

  const theirs = await activity(rival)
  assert.deepEqual(
    titles(theirs).filter((title) => title === 'outbid' || title === 'leading'),
    ['outbid'],
    'the bids of others stay theirs',
  )
  assert.deepEqual((await activity(seller)).data, [], 'own listings are in My listings alone')
  await watch(seller, watched)
  assert.deepEqual((await activity(seller)).data, [])
})

test('the end makes a winner with something to pay and a loser with nothing to do', async () => {
  const seller = await newcomer()
  const [winner, loser] = await Promise.all([newcomer(), newcomer()])
  const id = await newListing(yard.owner, seller.id)
  await bid(loser, id, 100_00)
  await bid(winner, id, 200_00)
  await yard.owner.query(
    `update listings set expires_at = n.t, first_expires_at = n.t from (select date_trunc('milliseconds', app_now()) as t offset 0) n where id = $1`,
    [id],
  )
  const counts = async (person: Person) => (await activity(person)).meta.counts
  while ((await counts(winner)).won === 0) await new Promise((soon) => setTimeout(soon, 20))
  assert.deepEqual(await counts(winner), { waiting: 1, bidding: 0, won: 1, offered: 0, watching: 0, lost: 0, done: 0 })
  assert.deepEqual(await counts(loser), { waiting: 0, bidding: 0, won: 0, offered: 0, watching: 0, lost: 1, done: 0 })
  assert.deepEqual((await mine(seller)).meta.counts, { waiting: 0, running: 0, sold: 1, unsold: 0, done: 0 })

  const figures = async (person: Person) => (await person.client.get('/api/v1/activity/figures')).body.data
  const one = { count: 1, value: { value: 200_00, currency: 'GBP' } }
  const none = { count: 0, value: { value: 0, currency: 'GBP' } }
  const { since, ...sold } = await figures(seller)
  assert.deepEqual(sold, { sold: one, bought: none })
  assert.ok(Date.parse(since) <= Date.now())
  const { since: _since, ...bought } = await figures(winner)
  assert.deepEqual(bought, { sold: none, bought: one })
  assert.equal((await figures(loser)).bought.count, 0)
})

test('an admin issue after the sale stays among the sold', async () => {
  const seller = await newcomer()
  const winner = await newcomer()
  const id = await newListing(yard.owner, seller.id)
  await bid(winner, id, 100_00)
  await set(id, 'HasAdminIssue', { [winner.id]: 'Won' })
  await yard.owner.query(
    `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat, vat_rate, goods, vat, total) select id, leader_id, leading_bid_id, current_price, 'paid', false, 20, current_price, 0, current_price from listings where id = $1`,
    [id],
  )
  assert.deepEqual((await mine(seller)).meta.counts, { waiting: 0, running: 0, sold: 1, unsold: 0, done: 0 })
  assert.equal((await activity(winner)).meta.counts.won, 1)
})

test('a page goes on where the last one ended, and shows each once, whatever is added meanwhile', async () => {
  const seller = await newcomer()
  const expected: string[] = []
  for (let nth = 0; nth < 9; nth++) {
    const title = `number ${nth}`
    await newListing(yard.owner, seller.id, {
      title,
      ...inMinutes(nth < 6 ? 10 + nth : -nth),
      ...(nth >= 6 && { status: 'Expired', ...ago }),
    })
    expected.push(title)
  }
  const seen: { id: string; title: string }[] = []
  let cursor = ''
  do {
    const page = await mine(seller, `?per_page=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.data)
    cursor = page.meta.next_cursor
    await newListing(yard.owner, seller.id, { title: 'added', ...inMinutes(5) })
    await newListing(yard.owner, seller.id, { title: 'added', status: 'PendingPayment', ...ago, ...inMinutes(-1) })
  } while (cursor)
  assert.deepEqual(
    seen.map(({ title }) => title).filter((title) => title !== 'added'),
    expected,
  )
  assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
})

test('a cursor that is none of ours is refused', async () => {
  const written = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const id = buyer.id
  const now = new Date().toISOString()
  const wrong = [
    'nonsense',
    written([]),
    written([now, 9, 1, id]),
    written([now, 1, '1', id]),
    written([now, 1, 1, 'x']),
    ...['+275760-09-13', '0000-01-01T00:00:00.000Z', '2020-02-31', '2020-01-01 (or so)', '2020-01-01T00:00:00+23:00'].map((asOf) =>
      written([asOf, 1, 1, id]),
    ),
  ]
  for (const cursor of wrong)
    for (const path of ['my-listings', 'activity'])
      assert.equal((await buyer.client.get(`/api/v1/${path}?cursor=${cursor}`)).status, 422, cursor)
})
