import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import { newMember, setUser, type Merchant } from '#tests/support/auctions/sale.ts'
import { soldTo } from '#tests/support/auctions/sold.ts'
import type { Client } from '#tests/support/client.ts'
import { mp4, photo } from '#tests/support/files/made-files.ts'
import { upload } from '#tests/support/files/stores.ts'
import { hostileTexts } from '#tests/support/hostile-texts.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let seller: Merchant
let buyer: Merchant
before(async () => {
  yard = await openYard({ env: { SETTINGS: JSON.stringify({ chat_rate: 1_000 }) } })
  seller = await newMember(yard)
  buyer = await newMember(yard, { company_name: 'Jones Recycling' })
})
after(() => yard.close())

const list = (owner = seller) => newListing(yard.owner, owner.id)
const at = (listing: string, user: Merchant) => `/api/v1/listings/${listing}/chats/${user.id}`
const send = (from: Client, listing: string, to: Merchant, body: unknown, key: string = randomUUID()) =>
  from.post(`${at(listing, to)}/messages`, typeof body === 'string' ? { body } : body, { 'idempotency-key': key })
const read = async (reader: Client, listing: string, other: Merchant) => (await reader.get(`${at(listing, other)}/messages`)).body
const bodies = async (reader: Client, listing: string, other: Merchant): Promise<string[]> =>
  (await read(reader, listing, other)).data.map(({ body }: { body: string }) => body)
const inboxOf = async ({ client }: Merchant) => (await client.get('/api/v1/chats')).body.data

const details: [typed: string, shown: string][] = [
  ['Ring 07700 900 123 please', 'Ring [phone number hidden] please'],
  ['oh seven seven double oh nine oh oh one two three', '[phone number hidden]'],
  ['O77OO 9OO123', '[phone number hidden]'],
  ['07700\n900\n123', '[phone number hidden]'],
  ['jo@smithmetals.co.uk or jo (at) smith (dot) com', '[email address hidden] or [email address hidden]'],
  ['See https://example.test/x and smithmetals.co.uk', 'See [link hidden] and [link hidden]'],
  ['3.2 t at £6,450 and 1,240 kg by 12/11/2026', '3.2 t at £6,450 and 1,240 kg by 12/11/2026'],
]

test('contact details are hidden from the reader until the sale is paid, and the sender is told; payment shows them', async () => {
  const { listingId, awardId } = await soldTo(yard.owner, { seller: seller.id, buyer: buyer.id })
  await send(buyer.client, listingId, seller, 'Hello')
  for (const [typed, shown] of details) {
    const { data } = (await send(seller.client, listingId, buyer, typed)).body
    assert.deepEqual([data.body, data.is_masked], [typed, typed !== shown], typed)
  }
  const typed = details.map(([text]) => text)
  assert.deepEqual(
    (await bodies(buyer.client, listingId, seller)).slice(1),
    details.map(([, shown]) => shown),
  )
  assert.deepEqual((await bodies(seller.client, listingId, buyer)).slice(1), typed)
  assert.equal((await read(buyer.client, listingId, seller)).thread.is_masked, true)

  await yard.owner.query('update awards set paid_at = app_now() where id = $1', [awardId])
  assert.deepEqual((await bodies(buyer.client, listingId, seller)).slice(1), typed)
  const { thread, data } = await read(buyer.client, listingId, seller)
  assert.deepEqual([thread.is_masked, data.some(({ is_masked }: { is_masked: boolean }) => is_masked)], [false, false])

  // the sale to one buyer shows nothing to another who asks
  const other = await newMember(yard)
  await send(other.client, listingId, seller, 'Is it still there?')
  await send(seller.client, listingId, other, 'Sold. Ring 07700 900 123 for the next')
  assert.equal((await bodies(other.client, listingId, seller)).at(-1), 'Sold. Ring [phone number hidden] for the next')
})

test('a phone number in several messages is hidden in each, with answers and pages between, and in the inbox and the notification', async () => {
  const listing = await list()
  await send(buyer.client, listing, seller, 'Hello, call me on 07700')
  await send(seller.client, listing, buyer, 'On what?')
  await send(buyer.client, listing, seller, '900')
  await send(buyer.client, listing, seller, '123 any time')
  const shown = ['Hello, call me on [phone number hidden]', 'On what?', '[phone number hidden]', '[phone number hidden] any time']
  assert.deepEqual(await bodies(seller.client, listing, buyer), shown)
  const [thread] = await inboxOf(seller)
  assert.equal(thread.last_message.body, shown.at(-1))

  // over the border of a page
  for (let nth = 0; nth < 48; nth++) await send(seller.client, listing, buyer, `Line ${nth} of many`)
  const { data, meta } = await read(seller.client, listing, buyer)
  assert.deepEqual([data[0].seq, data[0].body], [3, '[phone number hidden]'])
  const older = (await seller.client.get(`${at(listing, buyer)}/messages?cursor=${meta.next_cursor}`)).body.data
  assert.equal(older[0].body, shown[0])
})

test('one notification for all unread messages of a thread, without contact details; reading the thread reads it, and the next is a new one', async () => {
  const owner = await newMember(yard)
  const listing = await list(owner)
  const told = async () => (await owner.client.get('/api/v1/notifications')).body.data
  for (const body of ['Ring 07700 900 123', 'Please', 'Soon']) await send(buyer.client, listing, owner, body)
  const [only, ...more] = await told()
  assert.deepEqual(more, [])
  assert.deepEqual([only.kind, only.has_been_read, only.link], ['chat_message', false, `/listings/${listing}/chat/${buyer.id}`])
  assert.match(only.title, /Jones Recycling/)
  assert.match(only.body, /phone number hidden/)
  await owner.client.put(`${at(listing, buyer)}/read`)
  assert.equal((await told())[0].has_been_read, true)
  await send(buyer.client, listing, owner, 'Hello again')
  assert.deepEqual(
    (await told()).map(({ has_been_read }: { has_been_read: boolean }) => has_been_read),
    [false, true],
  )
})

test('a block stops new messages both ways and bids; the blocked are only told that messages cannot be delivered; unblocking ends it', async () => {
  const owner = await newMember(yard)
  const listing = await list(owner)
  await send(buyer.client, listing, owner, 'Hello')
  for (let nth = 0; nth < 2; nth++) assert.equal((await owner.client.put(`/api/v1/users/${buyer.id}/block`)).status, 204)
  const theirs = await send(buyer.client, listing, owner, 'Are you there?')
  assert.deepEqual([theirs.status, theirs.body.code], [409, 'cannot_be_delivered'])
  assert.match(theirs.body.message, /cannot be delivered/)
  assert.equal((await send(owner.client, listing, buyer, 'No')).body.code, 'blocked_by_you')
  assert.deepEqual((await read(owner.client, listing, buyer)).thread.is_blocked, true)
  assert.deepEqual((await read(buyer.client, listing, owner)).thread.is_blocked, false)
  const bid = await buyer.client.post(`/api/v1/listings/${listing}/bids`, { amount: 200_00 })
  assert.equal(bid.body.code, 'blocked_by_seller')

  for (let nth = 0; nth < 2; nth++) assert.equal((await owner.client.delete(`/api/v1/users/${buyer.id}/block`)).status, 204)
  assert.equal((await send(buyer.client, listing, owner, 'And now?')).status, 201)
  for (const id of [randomUUID(), '0', '%00']) assert.equal((await owner.client.put(`/api/v1/users/${id}/block`)).status, 404, id)
  assert.equal((await owner.client.put(`/api/v1/users/${owner.id}/block`)).status, 409)
})

test('no message comes after a block that was answered, however both race', async () => {
  const owner = await newMember(yard)
  for (let round = 0; round < 5; round++) {
    const listing = await list(owner)
    const sending = Promise.all(Array.from({ length: 6 }, (_, nth) => send(buyer.client, listing, owner, `Message ${nth}`)))
    await owner.client.put(`/api/v1/users/${buyer.id}/block`)
    const count = async () => (await yard.owner.query('select from chat_messages m join chat_threads t on t.id = m.thread_id where t.listing_id = $1', [listing])).rowCount // prettier-ignore
    const atBlock = await count()
    await sending
    assert.equal(await count(), atBlock)
    await owner.client.delete(`/api/v1/users/${buyer.id}/block`)
  }
})

test('what somebody can see can be reported, once; anything else is not there', async () => {
  const listing = await list()
  const { data } = (await send(buyer.client, listing, seller, 'Cash only, no papers')).body
  const stranger = await newMember(yard)
  const thread = (await read(seller.client, listing, buyer)).thread.id
  const report = (who: Merchant, type: string, id: string) =>
    who.client.post('/api/v1/reports', { about: { type, id }, reason: 'Wants cash' })
  const first = await report(seller, 'chat_message', data.id)
  assert.equal(first.status, 201)
  assert.deepEqual((await report(seller, 'chat_message', data.id)).body.data, first.body.data)
  for (const [type, id] of [['chat', thread], ['user', buyer.id], ['listing', listing]] as const) assert.equal((await report(seller, type, id)).status, 201, type) // prettier-ignore
  assert.equal((await report(stranger, 'chat', thread)).status, 404)
  assert.equal((await report(stranger, 'chat_message', data.id)).status, 404)
  assert.equal((await report(buyer, 'chat_message', data.id)).status, 404)
  assert.equal((await report(seller, 'user', randomUUID())).status, 404)
  for (const bad of [
    { type: 'weather', id: thread },
    { type: 'chat', id: 'x' },
  ])
    assert.equal((await seller.client.post('/api/v1/reports', { about: bad, reason: 'x' })).status, 422)
})

test('photos of a message are seen by its two sides alone; each can be sent once, and not deleted afterwards', async () => {
  const listing = await list()
  const made = async () => (await upload(buyer.client, { bytes: await photo(), mime_type: 'image/jpeg' })).id
  const ids = [await made(), await made()]
  const { status, body } = await send(buyer.client, listing, seller, { storage_object_ids: ids })
  assert.equal(status, 201)
  assert.deepEqual([body.data.body, body.data.attachments.map(({ id }: { id: string }) => id)], ['', ids])
  const [shown] = (await read(seller.client, listing, buyer)).data
  const { url } = shown.attachments[0].media
  const stranger = await newMember(yard)
  const statusFor = async (client: Client) => (await client.get(url)).status
  assert.deepEqual(
    [await statusFor(buyer.client), await statusFor(seller.client), await statusFor(stranger.client), await statusFor(yard.client())],
    [200, 200, 404, 404],
  )
  assert.match((await seller.client.get(url)).headers.get('cache-control') ?? '', /no-store/)
  assert.equal((await buyer.client.delete(`/api/v1/storage-object/${ids[0]}/`)).status, 409)
  assert.equal((await send(buyer.client, listing, seller, { body: 'again', storage_object_ids: ids })).status, 422)
  const film = (await upload(buyer.client, { bytes: mp4(), mime_type: 'video/mp4' })).id
  for (const taken of [film, (await upload(seller.client, { bytes: await photo(), mime_type: 'image/jpeg' })).id])
    assert.equal((await send(buyer.client, listing, seller, { body: 'x', storage_object_ids: [taken] })).status, 422)
})

test('messages of an erased account stay, under the name of a former member, and nobody can write to it', async () => {
  const gone = await newMember(yard)
  const listing = await list()
  await send(gone.client, listing, seller, 'Hello')
  await setUser(yard, gone.id, { deleted_at: new Date(), erased_at: new Date() })
  const { thread, data } = await read(seller.client, listing, gone)
  assert.deepEqual([thread.with.company_name, thread.with.is_former, data[0].body], ['A former member', true, 'Hello'])
  assert.equal((await inboxOf(seller)).find(({ id }: { id: string }) => id === thread.id).with.company_name, 'A former member')
  assert.equal((await send(seller.client, listing, gone, 'Hello?')).body.code, 'recipient_left')
})

test('each of 200 hostile texts is kept as it was typed, or refused', async () => {
  const [one, other] = [await newMember(yard), await newMember(yard)]
  const listing = await list(other)
  const kept = new Map<string, string>()
  for (const text of hostileTexts) {
    const { status, body } = await send(one.client, listing, other, text)
    assert.ok([201, 413, 422].includes(status), `${status} ${JSON.stringify(text).slice(0, 60)}`)
    if (status === 201) kept.set(text, body.data.body)
  }
  for (const [typed, shown] of kept)
    assert.equal(
      shown,
      typed
        .toWellFormed()
        .replaceAll('\r\n', '\n')
        .trim()
        .replaceAll(/\n{3,}/g, '\n\n'),
    )
  assert.ok(kept.size > 150, `${kept.size} were taken`)
})
