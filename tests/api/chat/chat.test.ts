import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { permissionsOf, tiers, type Tier } from '#contract/values/permissions.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { newMember, setUser, type Merchant } from '#tests/support/auctions/sale.ts'
import type { Client } from '#tests/support/client.ts'
import { openStream, type StreamEvent } from '#tests/support/stream.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let seller: Merchant
let buyer: Merchant
let stranger: Merchant
before(async () => {
  yard = await openYard()
  seller = await newMember(yard, { company_name: 'Smith Metals' })
  buyer = await newMember(yard, { company_name: 'Jones Recycling' })
  stranger = await newMember(yard)
})
after(() => closeSound(yard))

const list = (owner = seller) => newListing(yard.owner, owner.id)
const at = (listing: string, user: Merchant) => `/api/v1/listings/${listing}/chats/${user.id}`
const send = (from: Client, listing: string, to: Merchant, body: unknown, key: string = randomUUID()) =>
  from.post(`${at(listing, to)}/messages`, typeof body === 'string' ? { body } : body, { 'idempotency-key': key })
const read = (reader: Client, listing: string, other: Merchant, query = '') => reader.get(`${at(listing, other)}/messages${query}`)
const inbox = async (client: Client) => (await client.get('/api/v1/chats')).body

test('a buyer asks, the seller answers: both read the same messages in the same order, each with its own side', async () => {
  const listing = await list()
  const first = await send(buyer.client, listing, seller, '  Is it still on the drum?\r\n\r\n\r\n\r\nThanks ')
  assert.equal(first.status, 201)
  assert.deepEqual(
    [first.body.data.seq, first.body.data.body, first.body.data.mine, first.body.data.read_at, first.body.data.attachments],
    [1, 'Is it still on the drum?\n\nThanks', true, null, []],
  )
  assert.equal((await send(seller.client, listing, buyer, 'Yes, two drums')).body.data.seq, 2)

  const theirs = (await read(seller.client, listing, buyer)).body
  const ours = (await read(buyer.client, listing, seller)).body
  assert.deepEqual(
    theirs.data.map(({ seq, mine }: { seq: number; mine: boolean }) => [seq, mine]),
    [[1, false], [2, true]], // prettier-ignore
  )
  assert.deepEqual(
    ours.data.map(({ id }: { id: string }) => id),
    theirs.data.map(({ id }: { id: string }) => id),
  )
  assert.deepEqual([ours.thread.with.company_name, theirs.thread.with.company_name], ['Smith Metals', 'Jones Recycling'])
  assert.deepEqual([ours.thread.listing.is_owner, theirs.thread.listing.is_owner, ours.thread.why_not], [false, true, null])
})

test('44: of 9 pairs of tiers exactly 4 can open a thread; the permissions say which, and each refusal says why', async () => {
  const passed: string[] = []
  for (const from of tiers)
    for (const to of tiers) {
      const sender = await newMember(yard, { tier: from })
      const owner = await newMember(yard, { tier: to })
      const listing = await list(owner)
      const { status, body } = await send(sender.client, listing, owner, 'Hello')
      const mayOpen = (await read(sender.client, listing, owner)).body.thread?.why_not === null
      const mayByPlan = permissionsOf(from).auction_send_m2m_chat.enabled && permissionsOf(to).auction_receive_m2m_chat.enabled
      assert.equal(status, mayByPlan ? 201 : 403, `${from} → ${to}`)
      assert.equal(mayOpen, mayByPlan)
      if (status === 201) passed.push(`${from} → ${to}`)
      else if (from === 'basic') assert.deepEqual([body.code, /auction_send_m2m_chat/.test(body.message)], ['permission_missing', true])
      else assert.deepEqual([body.code, body.message], ['takes_no_messages', 'This seller takes no messages.'])
    }
  assert.deepEqual(passed, ['full → full', 'full → basic', 'seller → full', 'seller → basic'])
})

test('whoever takes part in a thread may answer, whatever the plans are by then', async () => {
  for (const tier of tiers) {
    const listing = await list()
    await send(buyer.client, listing, seller, 'Hello')
    const set = (who: Merchant, next: Tier) => setUser(yard, who.id, { tier: next })
    await set(seller, tier)
    await set(buyer, 'seller')
    assert.equal((await send(seller.client, listing, buyer, 'Hello to you')).status, 201, tier)
    assert.equal((await send(buyer.client, listing, seller, 'And again')).status, 201, tier)
    await set(seller, 'full')
    await set(buyer, 'full')
  }
})

test('an account that is not set up, or whose email is not confirmed, opens no thread', async () => {
  const listing = await list()
  const fresh = await newMember(yard, { onboarding_stage: 2 })
  assert.deepEqual(codeOf(await send(fresh.client, listing, seller, 'Hello')), [403, 'onboarding_unfinished'])
  const unconfirmed = await newMember(yard, { email_verified_at: null })
  assert.deepEqual(codeOf(await send(unconfirmed.client, listing, seller, 'Hello')), [403, 'email_not_confirmed'])
})

test('only the two sides find a thread: to anybody else, and under any wrong address, it is not there', async () => {
  const listing = await list()
  await send(buyer.client, listing, seller, 'Hello')
  const hidden = await newListing(yard.owner, seller.id, { status: 'HasAdminIssue' })
  const wrong: [Client, string][] = [
    [stranger.client, at(listing, buyer)],
    [buyer.client, at(listing, stranger)],
    [buyer.client, at(listing, buyer)],
    [seller.client, at(listing, seller)],
    // the owner writes first only to somebody who bid
    [seller.client, at(listing, stranger)],
    [buyer.client, at(hidden, seller)],
    [buyer.client, at(randomUUID(), seller)],
    ...['0', '-1', '%00', '..%2f', `${listing}x`].map((id): [Client, string] => [
      buyer.client,
      `/api/v1/listings/${id}/chats/${seller.id}`,
    ]),
    ...['0', '1e3', '%00', randomUUID()].map((id): [Client, string] => [buyer.client, `/api/v1/listings/${listing}/chats/${id}`]),
  ]
  for (const [client, path] of wrong) {
    assert.equal((await client.get(`${path}/messages`)).status, 404, path)
    assert.equal((await client.post(`${path}/messages`, { body: 'x' })).status, 404, path)
    assert.equal((await client.put(`${path}/read`)).status, 404, path)
  }
  assert.equal((await yard.client().get(`${at(listing, seller)}/messages`)).status, 401)
  assert.deepEqual((await stranger.client.get(`/api/v1/listings/${listing}/chats`)).body.data, [])
})

test('a message sent again under its key is one row and one answer; another body under it is refused; many at once are one', async () => {
  const listing = await list()
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(buyer.client, listing, seller, 'Once', key)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.deepEqual(codeOf(await send(buyer.client, listing, seller, 'Twice', key)), [422, 'idempotency_key_reused'])
  assert.equal((await read(buyer.client, listing, seller)).body.data.length, 1)
})

test('45: both sides write at once: the numbers have no gap, and pages of history show each message once, newest last', async () => {
  const listing = await list()
  const [one, other] = [await newMember(yard), await newMember(yard)]
  const own = await list(other)
  await yard.owner.query(
    `insert into settings (key, value) values ('chat_rate', '1000') on conflict (key) do update set value = excluded.value`,
  )
  await send(one.client, own, other, 'First')
  await Promise.all(
    Array.from({ length: 60 }, (_, nth) => [send(one.client, own, other, `a ${nth}`), send(other.client, own, one, `b ${nth}`)]).flat(),
  )
  await yard.owner.query(`delete from settings where key = 'chat_rate'`)
  const walk = async (client: Client, counterpart: Merchant) => {
    const seqs: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await read(client, own, counterpart, cursor && `?cursor=${cursor}`)
      seqs.unshift(...body.data.map(({ seq }: { seq: number }) => seq))
      cursor = body.meta.next_cursor
    }
    return seqs
  }
  const all = Array.from({ length: 121 }, (_, nth) => nth + 1)
  assert.deepEqual(await walk(one.client, other), all)
  assert.deepEqual(await walk(other.client, one), all)
  for (const cursor of ['x', '-1', '0', '1.5', '99999999999'])
    assert.equal((await read(one.client, own, other, `?cursor=${cursor}`)).status, 422, cursor)
  assert.equal((await read(buyer.client, listing, seller)).body.thread.id, null)
})

test('unread messages are counted by thread and listing until they are read; the sender sees when', async () => {
  const [one, other] = [await newMember(yard), await newMember(yard)]
  const listing = await list(other)
  for (const body of ['One', 'Two']) await send(one.client, listing, other, body)
  const { data, meta } = await inbox(other.client)
  assert.deepEqual([data.length, data[0].unread, data[0].last_message.body, meta.unread], [1, 2, 'Two', 2])
  assert.deepEqual(meta.unread_by_listing, { [listing]: 2 })
  assert.equal((await inbox(one.client)).meta.unread, 0)

  for (let nth = 0; nth < 2; nth++) assert.equal((await other.client.put(`${at(listing, one)}/read`)).status, 204)
  assert.deepEqual((await inbox(other.client)).meta.unread_by_listing, {})
  await send(one.client, listing, other, 'Three')
  const reads = (await read(one.client, listing, other)).body.data.map(({ read_at }: { read_at: string | null }) => read_at !== null)
  assert.deepEqual(reads, [true, true, false])
  assert.equal((await inbox(other.client)).meta.unread, 1)
})

test('the inbox is paged, newest first, and each listing has its own threads', async () => {
  const owner = await newMember(yard)
  const listings = [await list(owner), await list(owner), await list(owner)]
  for (const listing of listings) for (const who of [buyer, stranger]) await send(who.client, listing, owner, `About ${listing}`)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await owner.client.get(`/api/v1/chats?per_page=4${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data.map((thread: { listing: { id: string }; with: { id: string } }) => `${thread.listing.id} ${thread.with.id}`))
    cursor = body.meta.next_cursor
  }
  assert.deepEqual(seen, listings.flatMap((id) => [`${id} ${buyer.id}`, `${id} ${stranger.id}`]).toReversed())
  const { data } = (await owner.client.get(`/api/v1/listings/${listings[1]}/chats`)).body
  assert.deepEqual(new Set(data.map((thread: { with: { id: string } }) => thread.with.id)), new Set([buyer.id, stranger.id]))
  for (const cursor of ['x', Buffer.from('2026-01-01 x').toString('base64url')])
    assert.equal((await owner.client.get(`/api/v1/chats?cursor=${cursor}`)).status, 422)
})

test('a message and its read mark arrive live on both sides, whichever process they are connected to', async () => {
  const [one, other] = [await newMember(yard), await newMember(yard)]
  const listing = await list(other)
  const second = await yard.another()
  const cookie = (who: Merchant) => ({ cookie: `sid=${who.client.cookies.get('sid')}` })
  const ours = await openStream(`${yard.url}/api/v1/events?topics=me`, cookie(one))
  const theirs = await openStream(`${second.url}/api/v1/events?topics=me`, cookie(other))
  const chats = (events: StreamEvent[]) => events.filter(({ event }) => event === 'chat')
  await send(one.client, listing, other, 'Hello')
  const [news] = chats(await theirs.until((events) => chats(events).length === 1))
  assert.deepEqual([news?.data.with_id, news?.data.seq], [one.id, 1])
  await other.client.put(`${at(listing, one)}/read`)
  await ours.until((events) => chats(events).length === 2)
  ours.close()
  theirs.close()
  await second.stop()
})

test('30 messages a minute, then 429 with the time to wait; a message sent again is not counted', async () => {
  const [one, other] = [await newMember(yard), await newMember(yard)]
  const listing = await list(other)
  const key = randomUUID()
  for (let nth = 0; nth < 3; nth++) assert.equal((await send(one.client, listing, other, 'Hello', key)).status, 201)
  const answers = await Promise.all(Array.from({ length: 35 }, (_, nth) => send(one.client, listing, other, `Message ${nth}`)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 29)
  const refused = answers.find(({ status }) => status === 429)
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
  assert.equal((await send(other.client, listing, one, 'I may still answer')).status, 201)
})

test('what is no message is refused: too long, empty, blank, invisible, unknown fields, too many or strange photos', async () => {
  const listing = await list()
  const id = randomUUID()
  const bad: unknown[] = [
    {},
    { body: '' },
    { body: ' \n ' },
    { body: '\u200b\u2060' },
    { body: 'x'.repeat(4_001) },
    { body: 'a\u0000b' },
    { body: 'a\u0007b' },
    { body: 5 },
    { body: 'x', seq: 1 },
    { body: 'x', storage_object_ids: ['y'] },
    { body: 'x', storage_object_ids: [id] },
    { body: 'x', storage_object_ids: [id, id] },
    { body: 'x', storage_object_ids: Array.from({ length: 6 }, () => randomUUID()) },
  ]
  for (const body of bad) assert.equal((await send(buyer.client, listing, seller, body)).status, 422, JSON.stringify(body).slice(0, 80))
  assert.equal((await send(buyer.client, listing, seller, 'x'.repeat(70_000))).status, 413)
  assert.equal((await read(buyer.client, listing, seller)).body.thread.id, null)
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
