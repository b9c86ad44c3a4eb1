import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import { png, pdf } from '#tests/support/files/made-files.ts'
import {
  see,
  openSale,
  act,
  acts,
  ended,
  codesOf,
  endNow,
  inTurn,
  left,
  stepsOf,
  bid,
  actionsOf,
  type Merchant,
} from '#tests/support/auctions/sale.ts'
import { upload } from '#tests/support/files/stores.ts'

const { yard, seller, ann } = await openSale('seller', 'ann')

const photo = async (who = seller) => (await upload(who.client, { bytes: await png(), mime_type: 'image/png', filename: 'load.png' })).id
const form = async (changes: Record<string, unknown> = {}) => ({
  title: 'Bright copper wire',
  description: 'Clean, dry, in bags.',
  material_id: 'copper_bright',
  price_basis: 'lot',
  start_price: 100_00,
  reservation_price: 900_00,
  duration_days: 3,
  transfer_method_id: 1,
  use_default_address: true,
  media: [await photo()],
  ...changes,
})
const edit = (id: string, body: unknown, who = seller) => who.client.put(`/api/v1/listings/${id}`, body)

async function listed(changes: Record<string, unknown> = {}) {
  const body = await form(changes)
  const answer = await seller.client.post('/api/v1/listings', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  await left(yard, answer.body.data.id, 'Processing')
  return { id: answer.body.data.id as string, body }
}

test('an edit is a change that others may see: it is told live, with the next version', async () => {
  const { id, body } = await listed()
  const before = (await see(seller.client, id)).version
  const answer = await edit(id, { ...body, start_price: 333_00 })
  assert.deepEqual([answer.status, answer.body.data.version], [200, before + 1])
  const { rows } = await yard.owner.query(
    `select payload ->> 'start_price' as price, payload ->> 'version' as version from live_events where listing_id = $1 and kind = 'listing' order by id desc limit 1`,
    [id],
  )
  assert.deepEqual(rows[0], { price: '33300', version: String(before + 1) })
})

test('before the first bid the owner changes everything, the photos and their order included', async () => {
  const { id, body } = await listed()
  const [second, ticket] = [
    await photo(),
    (await upload(seller.client, { bytes: pdf(), mime_type: 'application/pdf', filename: 't.pdf', type: 2, storage_object_kind: 1 })).id,
  ]
  const before_ = await see(seller.client, id)
  assert.deepEqual([before_.can_edit, (await see(ann.client, id)).can_edit], [true, false])
  const changed = {
    ...body,
    title: 'Copper, bare',
    start_price: 200_00,
    reservation_price: null,
    media: [second, ...body.media],
    documents: [ticket],
  }
  const answer = await edit(id, changed)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const after_ = answer.body.data
  assert.deepEqual(
    [after_.title, after_.minimum_bid.value, after_.has_reservation_price, after_.expires_at, after_.version],
    ['Copper, bare', 200_00, false, before_.expires_at, before_.version + 1],
  )
  const photosOf = async () =>
    (await see(ann.client, id)).media.map(({ storage_object_id }: { storage_object_id: string }) => storage_object_id)
  assert.deepEqual(await photosOf(), [second, ...body.media])
  assert.equal((await edit(id, { ...changed, media: [second], documents: [] })).status, 200)
  assert.deepEqual(await photosOf(), [second])
  assert.equal((await seller.client.delete(`/api/v1/storage-object/${body.media[0]}/`)).status, 204, 'what was taken out is free again')
  assert.deepEqual(Object.keys((await edit(id, { ...changed, media: [await photo(ann)] })).body.errors), ['media'])
  assert.deepEqual(Object.keys((await edit(id, { ...changed, media: [ticket] })).body.errors), ['media'])
})

test('another duration or end counts from the start, and is never nearer than the shortest duration', async () => {
  const { id, body } = await listed()
  const { starts_at } = await see(seller.client, id)
  const longer = (await edit(id, { ...body, duration_days: 5 })).body.data
  assert.equal(Date.parse(longer.expires_at) - Date.parse(starts_at), 5 * 24 * 3_600_000)
  const { duration_days: _days, ...rest } = body
  const end = new Date(Date.now() + 5 * 3_600_000).toISOString()
  assert.equal((await edit(id, { ...rest, expires_at: end })).body.data.expires_at, end)
  assert.equal((await edit(id, { ...rest, expires_at: end, title: 'With the same end' })).status, 200)
  const soon = await edit(id, { ...rest, expires_at: new Date(Date.now() + 50 * 60_000).toISOString() })
  assert.deepEqual([soon.status, Object.keys(soon.body.errors)], [422, ['expires_at']])
  await edit(id, { ...body, duration_days: 3 })
  await yard.travel('23 hours 30 minutes')
  const short = await edit(id, { ...body, duration_days: 1 })
  assert.deepEqual([short.status, Object.keys(short.body.errors)], [422, ['duration_days']])
})

test('after the first bid a listing is not edited: a note, a lower reservation price, or an early withdrawal', async () => {
  const { id, body } = await listed()
  assert.deepEqual(await actionsOf(seller.client, id), ['withdraw'])
  for (const action of ['add_note', 'lower_reservation_price']) assert.equal((await act(seller.client, id, action, {})).status, 409, action)
  await bid(ann.client, id, 200_00)
  const refused = await edit(id, body)
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, 'After the first bid you can add a note, lower the reservation price, or withdraw early.'],
  )
  assert.deepEqual(
    [(await see(seller.client, id)).can_edit, await actionsOf(seller.client, id)],
    [false, ['withdraw', 'add_note', 'lower_reservation_price']],
  )

  await acts(seller.client, id, 'add_note', 'Active', { text: 'Loading by fork-lift only.' })
  const [note] = (await see(yard.client(), id)).notes
  assert.equal(note.text, 'Loading by fork-lift only.')
  for (const body_ of [{}, { text: '' }, { text: 7 }, { text: 'x'.repeat(1_001) }, { text: 'a', by: 'me' }])
    assert.equal((await act(seller.client, id, 'add_note', body_)).status, 422, JSON.stringify(body_))

  for (const reservation_price of [900_00, 900_01, 99_99, 0, -5, 150.5, '500', null]) {
    const wrong = await act(seller.client, id, 'lower_reservation_price', { reservation_price })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['reservation_price']], String(reservation_price))
  }
  const lower = await acts(seller.client, id, 'lower_reservation_price', 'Active', { reservation_price: 300_00 })
  assert.deepEqual([lower.reservation_price.value, lower.reservation_met], [300_00, false])
  const met = await acts(seller.client, id, 'lower_reservation_price', 'Active', { reservation_price: 200_00 })
  assert.deepEqual([met.reservation_met, met.current_price.value], [true, 200_00])
  assert.deepEqual(await actionsOf(seller.client, id), ['add_note'], 'a bid has met the price: nothing to lower, nothing to withdraw')
  assert.equal((await see(ann.client, id)).reservation_price, null)
  await endNow(yard, id)
  assert.equal(await left(yard, id, 'Active'), 'PendingPayment')
})

test('21: another’s listing is not there to edit, and an ended one is not edited', async () => {
  const { id, body } = await listed()
  for (const target of [id, 'nonsense']) assert.equal((await edit(target, body, ann)).status, 404)
  await endNow(yard, id)
  await left(yard, id, 'Active')
  assert.equal((await edit(id, body)).status, 409)
})

test('an edit and a first bid at the same time: whoever comes first decides', async () => {
  const placeBid = (id: string) => ann.client.post(`/api/v1/listings/${id}/bids`, { amount: 100_00 })
  const one = await listed()
  const dearer = (body: object) => ({ ...body, start_price: 500_00, reservation_price: null })
  const [placed, late] = await inTurn(
    yard,
    one.id,
    () => placeBid(one.id),
    () => edit(one.id, dearer(one.body)),
  )
  assert.deepEqual([placed.status, late.status], [201, 409])
  assert.equal((await see(seller.client, one.id)).start_price.value, 100_00)

  const other = await listed()
  const [edited, low] = await inTurn(
    yard,
    other.id,
    () => edit(other.id, dearer(other.body)),
    () => placeBid(other.id),
  )
  assert.deepEqual([edited.status, low.status, low.body.minimum_bid.value], [200, 409, 500_00])
})

test('relisting copies a listing with its photos into a new one, once', async () => {
  const { id, body } = await listed({ material_id: 'catalytic_converters', serial_numbers: 'GM 79', source: 'Leeds' })
  await endNow(yard, id)
  await left(yard, id, 'Active')
  assert.deepEqual(await actionsOf(seller.client, id), ['relist'])
  const clicks = await Promise.all([1, 2, 3].map(() => act(seller.client, id, 'relist')))
  assert.deepEqual(codesOf(clicks), [200, 409, 409])
  const copy = clicks.find(({ status }) => status === 200)?.body.data
  assert.notEqual(copy.id, id)
  assert.equal(await left(yard, copy.id, 'Processing'), 'Active')
  const seen = await see(seller.client, copy.id)
  assert.deepEqual(
    [seen.title, seen.bid_count, seen.serial_numbers, seen.reservation_price.value, seen.media[0].storage_object_id],
    [body.title, 0, 'GM 79', 900_00, body.media[0]],
  )
  assert.equal(Date.parse(seen.expires_at) - Date.parse(seen.starts_at), 3 * 24 * 3_600_000)
  assert.equal((await edit(copy.id, { ...body, title: 'Its photos can be kept' })).status, 200)
  assert.deepEqual([(await see(seller.client, id)).status.name, await actionsOf(seller.client, id)], ['Expired', []])
  assert.deepEqual(await stepsOf(yard, copy.id), ['submit', 'ready'])
})

test('22: relisting a listing whose texts hold contact details is refused with the reason', async () => {
  for (const [field, text] of [
    ['title', 'Copper, call 0114 234 5678'],
    ['description', 'See www.smithmetals.co.uk'],
  ] as const) {
    const id = await ended(yard, seller, [])
    await yard.owner.query(`update listings set ${field} = $2 where id = $1`, [id, text])
    const { status, body } = await act(seller.client, id, 'relist')
    assert.equal(status, 409)
    assert.match(body.message, new RegExp(`because of its ${field}\\. Leave out the (?:phone number|link)`))
    assert.equal((await yard.owner.query('select from listings where relisted_from = $1', [id])).rowCount, 0)
    assert.deepEqual(await actionsOf(seller.client, id), ['relist'])
  }
})

test('a relisted listing runs as long as is asked; an end that is over becomes seven days', async () => {
  const end = new Date(Date.now() + 3_600_000)
  const chosen = async () => ended(yard, seller, [], { duration_days: null, chosen_end: end })
  const spanOf = async (body: object) => {
    const { data } = (await act(seller.client, await chosen(), 'relist', body)).body
    await left(yard, data.id, 'Processing')
    const seen = await see(seller.client, data.id)
    return (Date.parse(seen.expires_at) - Date.parse(seen.starts_at)) / 86_400_000
  }
  assert.equal(await spanOf({ duration_days: 1 }), 1)
  assert.equal(await spanOf({}), 7)
  const refused = await act(seller.client, await chosen(), 'relist', { duration_days: 2 })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['duration_days']])
})

test('a withdrawal is told to bidders with its reason, and is not told to others', async () => {
  const end = new Date(Date.now() + 48 * 3_600_000)
  const id = await newListing(yard.owner, seller.id, { reservation_price: 900_00, expires_at: end, first_expires_at: end })
  await bid(ann.client, id, 100_00)
  await acts(seller.client, id, 'withdraw', 'Expired', { reason: 'Fire in the yard' })
  const timeline = async (client: Merchant['client']) =>
    (await client.get(`/api/v1/listings/${id}/events`)).body.data.map(({ name, by, reason }: Record<string, string>) => [name, by, reason])
  const company = (await see(ann.client, id)).seller.company_name
  assert.deepEqual(await timeline(seller.client), [['withdraw', 'You', 'Fire in the yard']])
  assert.deepEqual(await timeline(ann.client), [['withdraw', company, 'Fire in the yard']])
  assert.deepEqual(await timeline(yard.client()), [['withdraw', company, null]])
})

test('who did not hear the answer and asks again with the same key lists once, relists once and adds one note', async () => {
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const twice = async (path: string, body: unknown) => {
    const headers = key()
    const [first, again] = [await seller.client.post(path, body, headers), await seller.client.post(path, body, headers)]
    assert.deepEqual([again.status, again.body.data?.id], [first.status, first.body.data?.id], JSON.stringify(again.body))
    assert.equal((await seller.client.post(path, { ...(body as object), title: 'Another' }, headers)).body.code, 'idempotency_key_reused')
    return first.body.data.id as string
  }
  const id = await twice('/api/v1/listings', await form())
  await left(yard, id, 'Processing')
  await bid(ann.client, id, 100_00)
  await twice(`/api/v1/listings/${id}/actions/add_note`, { text: 'Loaded on Tuesdays' })
  assert.deepEqual(
    (await see(ann.client, id)).notes.map(({ text }: { text: string }) => text),
    ['Loaded on Tuesdays'],
  )
  await endNow(yard, id)
  await left(yard, id, 'Active')
  const copy = await twice(`/api/v1/listings/${id}/actions/relist`, {})
  assert.notEqual(copy, id)

  const other = await listed()
  await bid(ann.client, other.id, 100_00)
  const headers = key()
  for (const each of [id, other.id]) await seller.client.post(`/api/v1/listings/${each}/actions/add_note`, { text: 'Both' }, headers)
  assert.equal((await see(seller.client, other.id)).notes.length, 0, 'one key is for one listing')
})
