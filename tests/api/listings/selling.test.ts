import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findViolations } from '#database/check.ts'
import { blocked } from '#domain/sales/blocked.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { demoUser } from '#tests/support/people.ts'
import type { Client } from '#tests/support/client.ts'
import { png, pdf } from '#tests/support/files/made-files.ts'
import { openDemoYard } from '#tests/support/demo-yard.ts'
import { upload } from '#tests/support/files/stores.ts'

const { yard, seller, buyer, sellerId } = await openDemoYard()
const admin = await demoUser(yard, 'admin')

const photo = async (client: Client) => (await upload(client, { bytes: await png(), mime_type: 'image/png', filename: 'load.png' })).id

async function form(changes: Record<string, unknown> = {}) {
  return {
    title: 'Bright copper wire',
    description: 'Clean, dry, in bags.',
    material_id: 'copper_bright',
    price_basis: 'tonne',
    weight_kg: 1_240,
    start_price: 6_000_00,
    reservation_price: 6_500_00,
    duration_days: 3,
    transfer_method_id: 1,
    use_default_address: true,
    media: [await photo(seller)],
    ...changes,
  }
}

const list = (body: unknown, client = seller) => client.post('/api/v1/listings', body)

test('9: contact details in title, description, grade or condition are refused under each field, when listing and when editing', async () => {
  const { status, body } = await list(
    await form({
      title: 'Copper, ring 07700 900123',
      description: 'Write to jo at smithmetals dot com',
      condition: 'see www.smithmetals.com',
    }),
  )
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors), ['title', 'description', 'condition'])
  assert.match(body.errors.title[0], /^Leave out the phone number “07700 900123”\./)
  assert.match(body.errors.description[0], /^Leave out the email address/)
  assert.match(body.errors.condition[0], /^Leave out the link/)
  const good = await form()
  const listed = await list(good)
  assert.equal(listed.status, 201)
  const edited = await seller.put(`/api/v1/listings/${listed.body.data.id}`, { ...good, description: 'Call 0114 234 5678' })
  assert.deepEqual([edited.status, Object.keys(edited.body.errors)], [422, ['description']])
})

test('9: contact details in a note, or in the reason of a withdrawal, are refused under the field', async () => {
  const end = new Date(Date.now() + 3 * 86_400_000)
  const id = await newListing(yard.owner, sellerId, { reservation_price: 900_00, expires_at: end, first_expires_at: end })
  assert.equal((await buyer.post(`/api/v1/listings/${id}/bids`, { amount: 100_00 })).status, 201)
  const act = (action: string, body: object) => seller.post(`/api/v1/listings/${id}/actions/${action}`, body)
  const note = await act('add_note', { text: 'Questions? 0114 234 5678' })
  assert.deepEqual([note.status, Object.keys(note.body.errors)], [422, ['text']])
  const reason = await act('withdraw', { reason: 'Sold, write to jo@smithmetals.com' })
  assert.deepEqual([reason.status, Object.keys(reason.body.errors)], [422, ['reason']])
  assert.equal((await act('add_note', { text: 'Load 2 of 3, weighed 1,240 kg on 01/02/2026' })).status, 200)
})

async function untilActive(id: string) {
  for (;;) {
    const { data } = (await seller.get(`/api/v1/listings/${id}`)).body
    if (data.status.name !== 'Processing') return data
    await pause(20)
  }
}

test('a listing is made from photos and facts, becomes Active by itself, is found, bid on and closed', async () => {
  const { status, body } = await list(await form())
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body.data.status.label, body.data.is_owner, body.data.ewc_code], ['Processing', true, '17 04 01'])

  const active = await untilActive(body.data.id)
  assert.deepEqual([active.status.id, active.status.label, active.media.length], [2, 'Active', 1])
  assert.match(active.media[0].thumbnail_url, /^\/files\//)
  assert.equal(Date.parse(active.expires_at) - Date.parse(active.starts_at), 3 * 24 * 3_600_000)
  assert.deepEqual([active.location.town, active.location.post_code_district], ['Sheffield', 'S9'])

  const found = await buyer.get('/api/v1/listings?sort=newest')
  assert.equal(found.body.data[0].id, active.id)
  assert.equal((await buyer.post(`/api/v1/listings/${active.id}/bids`, { amount: 6_000_00, max_amount: 7_000_00 })).status, 201)

  await yard.owner.query(
    `update listings set expires_at = date_trunc('milliseconds', now()), first_expires_at = date_trunc('milliseconds', now()) where id = $1`,
    [active.id],
  )
  for (;;) {
    const { data } = (await buyer.get(`/api/v1/listings/${active.id}`)).body
    if (data.status.name === 'Active') await pause(20)
    else {
      assert.deepEqual([data.status.name, data.status.label, data.my_latest_bid.bid_status.name], ['PendingPayment', 'Unpaid', 'Won'])
      break
    }
  }
  const mine = (await seller.get('/api/v1/my-listings')).body.data.find(({ id }: { id: string }) => id === active.id)
  assert.equal(mine.status.label, 'Pending Payment')
  assert.deepEqual(await findViolations(yard.owner), [])
})

const refusals: [string, Record<string, unknown>, string][] = [
  ['no photo', { media: [] }, 'media'],
  ['eleven photos', { media: Array.from({ length: 11 }, () => randomUUID()) }, 'media'],
  ['an upload that does not exist', { media: [randomUUID()] }, 'media'],
  ['a price by the tonne without a weight', { weight_kg: null }, 'weight_kg'],
  ['a reservation price below the start price', { reservation_price: 5_999_99 }, 'reservation_price'],
  ['a duration that is not offered', { duration_days: 2 }, 'duration_days'],
  ['an end and a duration', { expires_at: '2099-01-01T00:00:00Z' }, 'duration_days'],
  ['neither end nor duration', { duration_days: undefined }, 'duration_days'],
  ['an end that is too soon', { duration_days: undefined, expires_at: new Date().toISOString() }, 'expires_at'],
  ['an end that is too far', { duration_days: undefined, expires_at: '2099-01-01T00:00:00Z' }, 'expires_at'],
  ['an unknown material', { material_id: 'gold' }, 'material_id'],
  ['no address at all', { use_default_address: undefined }, 'address'],
  ['pence in parts', { start_price: 1.5 }, 'start_price'],
  // 1,240 kg: with VAT 672,044.00 a tonne comes to £1,000,001.47, and 0.1 kg of a penny to nothing
  ['a start price that nobody could pay', { start_price: 672_044_00, reservation_price: null }, 'start_price'],
  ['a reservation price that nobody could pay', { reservation_price: 672_044_00 }, 'reservation_price'],
  ['a price that comes to nothing', { start_price: 1, weight_kg: 100 }, 'start_price'],
  ['a status of one’s own', { status: 'Active' }, 'status'],
  ['somebody else as seller', { seller_id: randomUUID() }, 'seller_id'],
  ['catalytic converters without serial numbers', { material_id: 'catalytic_converters', source: 'Breakers in Leeds' }, 'serial_numbers'],
  ['catalytic converters from nowhere', { material_id: 'catalytic_converters', serial_numbers: 'GM 79, GM 80' }, 'source'],
]
for (const [what, changes, field] of refusals) {
  test(`a listing with ${what} is refused under ${field}`, async () => {
    const { status, body } = await list(await form(changes))
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]], JSON.stringify(body))
  })
}

test('prices that are none are refused in words, and an end may be written in any zone', async () => {
  for (const start_price of [undefined, null, '100', 1.5, 1e30]) {
    const { status, body } = await list(await form({ start_price }))
    assert.deepEqual([status, body.errors.start_price[0]], [422, 'Enter a price, in whole pence'])
  }
  const end = new Date(Date.now() + 3 * 24 * 3_600_000)
  const far = (zone: string, hours: number) => new Date(end.getTime() + hours * 3_600_000).toISOString().replace('Z', zone)
  for (const expires_at of [far('+23:00', 23), far('-05:30', -5.5)]) {
    const { status, body } = await list(await form({ duration_days: undefined, expires_at }))
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal((await untilActive(body.data.id)).expires_at, end.toISOString())
  }
})

test('another’s upload, one that is used already and one twice are refused; documents go with the listing', async () => {
  assert.equal((await list(await form({ media: [await photo(buyer)] }))).status, 422)
  const own = await photo(seller)
  assert.equal((await list(await form({ media: [own, own] }))).status, 422)
  const ticket = (
    await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', filename: 'ticket.pdf', type: 2, storage_object_kind: 1 })
  ).id
  assert.equal((await list(await form({ media: [own], documents: [ticket] }))).status, 201)
  assert.equal((await list(await form({ media: [own] }))).status, 422)
  assert.equal((await seller.delete(`/api/v1/storage-object/${own}/`)).status, 409, 'what a listing holds cannot be deleted')
})

test('catalytic converters are listed with serial numbers and source, which only the owner sees', async () => {
  const facts = { serial_numbers: 'GM 79, GM 80', source: 'Breakers in Leeds' }
  const { status, body } = await list(await form({ material_id: 'catalytic_converters', ...facts }))
  assert.deepEqual([status, body.data.serial_numbers, body.data.source], [201, facts.serial_numbers, facts.source])
  await untilActive(body.data.id)
  const seen = (await buyer.get(`/api/v1/listings/${body.data.id}`)).body.data
  assert.deepEqual([seen.serial_numbers, seen.source], [null, null])
})

test('two listings for one photo at once: one has it', async () => {
  const own = await photo(seller)
  const body = await form({ media: [own] })
  const answers = await Promise.all([list(body), list(body), list(body)])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 422, 422],
  )
})

test('somebody who has not finished onboarding cannot list', async () => {
  const fresh = await demoUser(yard, 'new')
  const { status, body } = await list(await form({ media: [await photo(fresh)] }), fresh)
  assert.deepEqual([status, body.code], [403, 'cannot_list'])
})

test('a seller withdraws before the first bid; later only early and while the reservation price is unmet', async () => {
  const free = await newListing(yard.owner, sellerId)
  const withdrawn = await seller.delete(`/api/v1/listings/${free}`)
  assert.deepEqual([withdrawn.status, withdrawn.body.data.status.name], [200, 'Expired'])
  assert.equal((await seller.delete(`/api/v1/listings/${free}`)).status, 409)

  const bid = (id: string, amount: number) => buyer.post(`/api/v1/listings/${id}/bids`, { amount })
  const soon = await newListing(yard.owner, sellerId, { reservation_price: 900_00 })
  await bid(soon, 100_00)
  assert.equal((await seller.delete(`/api/v1/listings/${soon}`)).status, 409, 'it ends within 12 hours')

  const end = new Date(Date.now() + 48 * 3_600_000)
  const unmet = await newListing(yard.owner, sellerId, { reservation_price: 900_00, expires_at: end, first_expires_at: end })
  await bid(unmet, 100_00)
  const without = await seller.delete(`/api/v1/listings/${unmet}`)
  assert.deepEqual([without.status, Object.keys(without.body.errors)], [422, ['reason']], 'bidders are told why')
  const reason = 'Sold to a neighbour'
  assert.equal((await seller.post(`/api/v1/listings/${unmet}/actions/withdraw`, { reason })).status, 200)
  const seen = (await buyer.get(`/api/v1/listings/${unmet}`)).body.data
  assert.deepEqual([seen.my_latest_bid.bid_status.name, seen.withdrawal_reason], ['Closed', reason])
  assert.equal((await yard.client().get(`/api/v1/listings/${unmet}`)).body.data.withdrawal_reason, null)

  const met = await newListing(yard.owner, sellerId, { expires_at: end, first_expires_at: end })
  await bid(met, 100_00)
  assert.equal((await seller.delete(`/api/v1/listings/${met}`)).status, 409)
})

test('21: another’s listing is not there to withdraw', async () => {
  const id = await newListing(yard.owner, sellerId)
  for (const target of [id, randomUUID(), 'nonsense']) assert.equal((await buyer.delete(`/api/v1/listings/${target}`)).status, 404)
  assert.equal((await seller.get(`/api/v1/listings/${id}`)).body.data.status.name, 'Active')
})

test('own listings are paged, each on one page', async () => {
  const first = await seller.get('/api/v1/my-listings?per_page=5')
  assert.equal(first.body.data.length, 5)
  const next = await seller.get(`/api/v1/my-listings?per_page=5&cursor=${first.body.meta.next_cursor}`)
  const ids = [...first.body.data, ...next.body.data].map(({ id }: { id: string }) => id)
  assert.equal(new Set(ids).size, 10)
})

const audited = async (act: string) =>
  (await yard.owner.query('select actor, details from audit_entries where act = $1 and subject_user_id = $2 order by id', [act, sellerId]))
    .rows

test('an admin grants and takes back deferred terms, and each is in the audit log; half of a grant is refused', async () => {
  const path = `/api/v1/admin/users/${sellerId}/deferred-terms`
  const granted = await admin.put(path, { days: 14, limit: 5_000_00 })
  assert.deepEqual([granted.status, granted.body], [200, { data: { days: 14, limit: 5_000_00 } }])
  const { rows } = await yard.owner.query('select deferred_days, deferred_limit from users where id = $1', [sellerId])
  assert.deepEqual(rows, [{ deferred_days: 14, deferred_limit: 5_000_00 }])
  for (const [body, field] of [
    [{ days: 14, limit: null }, 'limit'],
    [{ days: null, limit: 5 }, 'days'],
    [{ days: 0, limit: 5 }, 'days'],
    [{ days: 14, limit: 0 }, 'limit'],
  ] as const) {
    const refused = await admin.put(path, body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, [field]])
  }
  const ended = await admin.put(path, { days: null, limit: null })
  assert.deepEqual(ended.body, { data: { days: null, limit: null } })
  assert.deepEqual(await audited('grant-deferred-terms'), [{ actor: 'admin@yardbid.test', details: { days: 14, limit: 5_000_00 } }])
  assert.equal((await audited('end-deferred-terms')).length, 1)
  assert.equal((await admin.put(`/api/v1/admin/users/${randomUUID()}/deferred-terms`, { days: 1, limit: 1 })).status, 404)
  assert.equal((await seller.put(path, { days: 14, limit: 5_000_00 })).status, 404)
})

const strike = async (role: string) =>
  (await yard.owner.query(`insert into strikes (user_id, role, reason) values ($1, $2, 'cancel_sale') returning id`, [sellerId, role]))
    .rows[0].id
const block = (columns: { bidding?: string; listing?: string }) =>
  yard.owner.query('update users set bidding_blocked_reason = $2, listing_blocked_reason = $3 where id = $1', [
    sellerId,
    columns.bidding ?? null,
    columns.listing ?? null,
  ])
const blocks = async () =>
  (
    await yard.owner.query('select bidding_blocked_reason as bidding, listing_blocked_reason as listing from users where id = $1', [
      sellerId,
    ])
  ).rows[0]
const lift = (id: string) => admin.delete(`/api/v1/admin/strikes/${id}`)

for (const [role, column, reason, other] of [
  ['seller', 'listing', blocked.cancelledSales, blocked.owesUs],
  ['buyer', 'bidding', blocked.missedPayments, blocked.overdue],
] as const) {
  test(`lifting a ${role}’s strike ends the block once fewer than three are left, and no block for another reason`, async () => {
    const [first, second, third, fourth] = [await strike(role), await strike(role), await strike(role), await strike(role)]
    await block({ [column]: reason })
    assert.equal((await lift(first)).status, 200)
    assert.equal((await blocks())[column], reason)
    assert.equal((await lift(first)).status, 409)
    const lifted = await lift(second)
    assert.deepEqual([lifted.body.data.id, lifted.body.data.lifted_at !== null], [second, true])
    assert.equal((await blocks())[column], null)
    await block({ [column]: other })
    assert.equal((await lift(third)).status, 200)
    assert.equal((await blocks())[column], other)
    const { data } = (await admin.get(`/api/v1/admin/users/${sellerId}/strikes`)).body
    const mine = data.filter((one: { role: string }) => one.role === role)
    assert.deepEqual(
      mine.map((one: { id: string; lifted_at: string | null }) => [one.id, one.lifted_at !== null]),
      [
        [fourth, false],
        [third, true],
        [second, true],
        [first, true],
      ],
    )
    assert.equal((await audited('lift-strike')).filter(({ details }) => details.role === role).length, 3)
    await block({})
    await yard.owner.query('delete from strikes')
  })
}

test('strikes are an admin’s to see and lift, and unknown ones are 404', async () => {
  const id = await strike('seller')
  for (const client of [seller, buyer]) {
    assert.equal((await client.get(`/api/v1/admin/users/${sellerId}/strikes`)).status, 404)
    assert.equal((await client.delete(`/api/v1/admin/strikes/${id}`)).status, 404)
  }
  assert.deepEqual([(await lift(randomUUID())).status, (await lift('x')).status], [404, 404])
  assert.equal((await admin.get(`/api/v1/admin/users/${randomUUID()}/strikes`)).status, 404)
  await yard.owner.query('delete from strikes')
})

test('a seller who is blocked, or owes us of an earlier sale, lists and relists nothing, and is told why', async () => {
  const over = await newListing(yard.owner, sellerId, { status: 'Expired' })
  const relist = () => seller.post(`/api/v1/listings/${over}/actions/relist`, {})
  await block({ listing: blocked.cancelledSales })
  for (const { status, body } of [await list(await form()), await relist()])
    assert.deepEqual([status, body.code, body.message.startsWith('You cancelled sales')], [409, 'listing_blocked', true])
  await block({})
  const { rows } = await yard.owner.query<{ id: string }>('select id from awards limit 1')
  const owing = await yard.owner.query(
    `insert into seller_payouts (award_id, seller_id, charge_id, purpose, amount, reversed, receivable)
     values ($1, $2, 'ch_owing', 'goods', 900, 0, 900) returning id`,
    [rows[0]?.id, sellerId],
  )
  const { status, body } = await list(await form())
  assert.deepEqual([status, body.message], [409, blocked.owesUs])
  await yard.owner.query('delete from seller_payouts where id = $1', [owing.rows[0].id])
  assert.deepEqual([(await list(await form())).status, (await relist()).status], [201, 200])
})
