import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/auctions/sale.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import fc from '#tests/support/properties.ts'
import { png } from '#tests/support/files/made-files.ts'
import { openDemoYard, sendBid } from '#tests/support/demo-yard.ts'
import { upload } from '#tests/support/files/stores.ts'

// The security checklist, items 21 to 24, where they are about listings and bids.

const { yard, seller, buyer, rival, sellerId, list, rowOf } = await openDemoYard()

const routesWithIds = () =>
  yard.app.routeTable.flatMap(({ method, url }) =>
    /[:*]/.test(url) && method !== 'HEAD' && !/^\/(api\/docs|sandbox\/)/.test(url) && url !== '*' && url !== '/*'
      ? [{ method: String(method), url }]
      : [],
  )

/** What is there to be called with another's id: bidding on it, looking at it, blocking somebody. */
const forEverybody = /^(GET |POST .*\/bids$|(PUT|DELETE) .*\/(watch|block)$|PUT \/files\/|POST .*\/unsubscribe\/)/

test('21: another’s listing or upload cannot be changed: the same 404 as for one that is not there, and nothing happens', async () => {
  const listing = await list()
  const { id: object } = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
  const before = [await rowOf(listing), await stateOf(object)]
  const changing = routesWithIds().filter(({ method, url }) => !forEverybody.test(`${method} ${url}`))
  assert.ok(changing.length >= 3)
  for (const { method, url } of changing) {
    const theirs = url.includes('/listings/') ? listing : object
    const ask = (id: string) =>
      buyer.ask(method, url.replace(':id', id).replace(':action', 'withdraw'), { ...(method !== 'DELETE' && { body: {} }) })
    const [another, nobodys] = [await ask(theirs), await ask(randomUUID())]
    assert.ok([404, 422].includes(another.status), `${method} ${url}: ${another.status}`)
    assert.deepEqual([another.status, another.body], [nobodys.status, nobodys.body], `${method} ${url}`)
  }
  assert.deepEqual([await rowOf(listing), await stateOf(object)], before)
})

const stateOf = async (id: string) => (await yard.owner.query('select * from storage_objects where id = $1', [id])).rows[0]

test('22: every id in every address: what is none, or another kind’s, is 404 or 422, never a fault', async () => {
  const listing = await list()
  const { id: object } = await upload(rival, { bytes: await png(), mime_type: 'image/png' })
  const hostile = [
    '-1',
    '0',
    String(2n ** 63n),
    '1e3',
    '%00',
    '..%2f',
    '..%2f..%2fetc%2fpasswd',
    '%5B%5D',
    '%5B1%5D',
    `${listing},${listing}`,
    'null',
    'undefined',
    'NaN',
    "'",
    '%27%20or%201=1--',
    '%F0%9F%98%80',
    '%E2%80%AE',
    'a'.repeat(300),
    `${listing}%20`,
    `%7B${listing}%7D`,
    // another's, and of another kind
    sellerId,
    object,
    listing.toUpperCase(),
    randomUUID(),
  ]
  const visitor = yard.client()
  const routes = routesWithIds()
  assert.ok(routes.length >= 7, 'listings, bids, uploads and files have ids')
  for (const { method, url } of routes) {
    for (const value of hostile) {
      const path = url.replaceAll(/:\w+/g, value).replace('*', value)
      const body = url.endsWith('/bids') ? { amount: 100_00 } : {}
      const options = method === 'GET' || method === 'DELETE' ? {} : { body }
      for (const client of [buyer, visitor]) {
        const { status, body: answer } = await client.ask(method, path, options)
        // a listing's own id in capitals is that listing
        const isListing = value.toLowerCase() === listing && url.startsWith('/api/v1/listings')
        // anybody may be blocked, and nobody's block is taken back without a word
        const isBlock = url.endsWith('/block') && (value === sellerId || method === 'DELETE')
        const fine = [400, 401, 403, 404, 409, 414, 415, 419, 422, ...(isListing || isBlock ? [200, 201, 204] : [])]
        assert.ok(fine.includes(status), `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
        if (client === buyer && method === 'GET' && !isListing)
          assert.ok([400, 404, 414, 422].includes(status), `${method} ${path}: ${status}`)
      }
    }
  }
})

test('23: who is suspended, unfinished, basic or a seller only neither bids nor finds a way round', async () => {
  const id = await list()
  const { client: suspended, id: suspendedId } = await signUp(yard)
  await yard.owner.query(`update users set suspended_at = app_now(), tier = 'full' where id = $1`, [suspendedId])
  assert.equal((await sendBid(suspended, id, { amount: 100_00 })).status, 401)
  for (const name of ['new', 'basic', 'trade'] as const) {
    const client = await demoUser(yard, name)
    assert.equal((await sendBid(client, id, { amount: 100_00 })).status, 403, name)
    assert.equal((await client.post(`/api/v1/listings/${id}/bids/`, { amount: 100_00 })).status, 403, name)
  }
  assert.equal((await rowOf(id)).bid_count, 0)
})

test('23: somebody who has not finished onboarding gets 403 for every deal, even with a full subscription', async () => {
  const { client } = await newMember(yard, { onboarding_stage: 1 })
  const id = await list()
  const answer = await sendBid(client, id, { amount: 100_00 })
  assert.deepEqual([answer.status, answer.body.code], [403, 'onboarding_unfinished'])
  const photo = (await upload(client, { bytes: await png(), mime_type: 'image/png' })).id
  assert.equal((await client.post('/api/v1/listings', { ...form, media: [photo] })).status, 403)
})

test('25: an email that is not confirmed stops bidding and listing, each saying what to do; once confirmed both work', async () => {
  const { client, id: userId } = await newMember(yard, { email_verified_at: null })
  const id = await list()
  const media = [(await upload(client, { bytes: await png(), mime_type: 'image/png' })).id]
  const bid = await sendBid(client, id, { amount: 100_00 })
  assert.deepEqual([bid.status, bid.body.code], [403, 'email_not_confirmed'])
  const listed = await client.post('/api/v1/listings', { ...form, media })
  assert.deepEqual([listed.status, listed.body.code], [403, 'cannot_list'])
  for (const { body } of [bid, listed]) assert.match(body.message, /^Confirm your email address .*the link that we sent/)
  assert.equal((await rowOf(id)).bid_count, 0)
  await yard.owner.query('update users set email_verified_at = app_now() where id = $1', [userId])
  assert.equal((await sendBid(client, id, { amount: 100_00 })).status, 201)
  assert.equal((await client.post('/api/v1/listings', { ...form, media })).status, 201)
})

test('24: neither the owner nor a second account with the owner’s payment account bids', async () => {
  const id = await list()
  const own = await sendBid(seller, id, { amount: 100_00 })
  assert.deepEqual([own.status, own.body.code], [403, 'own_listing'])
  const { rows } = await yard.owner.query('select payment_account_id from users where id = $1', [sellerId])
  const { client: twin } = await newMember(yard, { payment_account_id: rows[0].payment_account_id })
  const second = await sendBid(twin, id, { amount: 100_00 })
  assert.deepEqual([second.status, second.body.code], [403, 'same_payment_account'])
  assert.equal((await rowOf(id)).bid_count, 0)
})

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

test('15: my_latest_bid is the caller’s own last bid, never another’s', async () => {
  const people = [buyer, rival]
  const moves = fc.array(fc.record({ who: fc.nat(1), more: fc.integer({ min: 0, max: 50_00 }) }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(moves, async (bids) => {
      const id = await list()
      const last = new Map<Client, { id: string; max: number }>()
      for (const { who, more } of bids) {
        const client = people[who] as Client
        const { value } = (await client.get(`/api/v1/listings/${id}`)).body.data.minimum_bid
        const max = Math.max(value + more, (last.get(client)?.max ?? 0) + 1)
        const answer = await sendBid(client, id, { amount: value, max_amount: max })
        assert.equal(answer.status, 201, JSON.stringify(answer.body))
        last.set(client, { id: answer.body.data.bid.id, max })
        for (const each of people) {
          const mine = (await each.get(`/api/v1/listings/${id}`)).body.data.my_latest_bid
          assert.deepEqual(mine && { id: mine.id, max: mine.max_price.value }, last.get(each) ?? null)
        }
      }
      for (const other of [yard.client(), seller]) assert.equal((await other.get(`/api/v1/listings/${id}`)).body.data.my_latest_bid, null)
    }),
    { numRuns: 8 },
  )
})
