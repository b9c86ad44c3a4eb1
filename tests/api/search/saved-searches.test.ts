import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { MOST_SAVED_SEARCHES, MOST_WATCHED } from '#contract/saved-searches.ts'
import { remindWatchers } from '#server/clock/reminders.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { tellOfMatches } from '#server/features/saved-searches/alerts.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
let buyer: Client
let rival: Client
let seller: Client
let sellerId: string

before(async () => {
  yard = await openYard({ demo: true })
  // the demo's members are told of what they buy as well: here their searches alone tell them
  await yard.owner.query('delete from material_preferences')
  db = openDatabase(yard.databaseUrl, 4)
  buyer = await demoUser(yard, 'buyer')
  rival = await demoUser(yard, 'rival')
  seller = await demoUser(yard, 'seller')
  sellerId = (await seller.get('/api/v1/auth/me')).body.data.id
})
after(async () => {
  await db.destroy()
  await yard.close()
})

const list = (changes: Record<string, unknown> = {}) => newListing(yard.owner, sellerId, changes)
const save = (client: Client, filter: object, more: object = {}) => client.post('/api/v1/saved-searches', { name: 'Mine', filter, ...more })

test('a watched listing is marked as watched for its watcher only, and watching it again changes nothing', async () => {
  const id = await list()
  for (let nth = 0; nth < 2; nth++) {
    const { status, body } = await buyer.put(`/api/v1/listings/${id}/watch`)
    assert.deepEqual([status, body.data.is_watched], [200, true])
  }
  assert.equal((await rival.get(`/api/v1/listings/${id}`)).body.data.is_watched, false)
  const [shown] = (await buyer.get('/api/v1/listings?sort=newest')).body.data.filter((each: { id: string }) => each.id === id)
  assert.equal(shown.is_watched, true)
  for (let nth = 0; nth < 2; nth++) {
    const { status, body } = await buyer.delete(`/api/v1/listings/${id}/watch`)
    assert.deepEqual([status, body.data.is_watched], [200, false])
  }
})

test('a listing that does not exist or that the user may not see cannot be watched', async () => {
  const hidden = await list({ status: 'HasAdminIssue' })
  for (const id of [hidden, randomUUID(), '0', '%00', 'x'.repeat(90)]) {
    assert.equal((await buyer.put(`/api/v1/listings/${id}/watch`)).status, 404, id)
    assert.equal((await buyer.delete(`/api/v1/listings/${id}/watch`)).status, 404, id)
  }
  assert.equal((await yard.client().put(`/api/v1/listings/${hidden}/watch`)).status, 401)
  assert.equal((await yard.owner.query('select from watches where listing_id = $1', [hidden])).rowCount, 0)
})

test(`at most ${MOST_WATCHED} listings can be watched, even by many calls at once`, async () => {
  const basic = await demoUser(yard, 'basic')
  const basicId = (await basic.get('/api/v1/auth/me')).body.data.id
  await yard.owner.query(
    `with copies as (
       insert into listings (seller_id, status, title, description, material_id, price_basis, start_price, transfer_method_id, address_line_1, town, post_code,
         latitude, longitude, duration_days, expires_at)
       select $1, 'Expired', 'Old', 'Old', 'lead', 'lot', 1, 1, 'x', 'x', 'M1 1AA', 53, -2, 1, date_trunc('milliseconds', app_now()) from generate_series(1, $3::int)
       returning id
     )
     insert into watches (user_id, listing_id) select $2, id from copies`,
    [sellerId, basicId, MOST_WATCHED - 3],
  )
  const ids: string[] = []
  while (ids.length < 8) ids.push(await list())
  const answers = await Promise.all(ids.map((id) => basic.put(`/api/v1/listings/${id}/watch`)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 3)
  assert.equal(answers.filter(({ status }) => status === 409).length, 5)
  const refused = answers.find(({ status }) => status === 409)
  assert.deepEqual([refused?.body.code, /Take one off/.test(refused?.body.message)], ['watch_list_full', true])
  const watched = ids[answers.findIndex(({ status }) => status === 200)]
  assert.equal((await basic.put(`/api/v1/listings/${watched}/watch`)).status, 200)
})

test('a saved search is listed, newest first, and deleted by its owner only', async () => {
  const filter = {
    'filter[search]': 'bright wire',
    'filter[post_code]': 'M1 4BT',
    'filter[radius_miles]': 25,
    'filter[material_id]': 'copper_bright',
  }
  const first = await save(rival, filter, { name: 'Copper near Manchester', alerts: false })
  assert.equal(first.status, 201)
  assert.deepEqual(first.body.data.filter, filter)
  const second = await save(rival, {}, { name: 'Everything', alerts: false })
  const names = async (client: Client) => (await client.get('/api/v1/saved-searches')).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(rival), ['Everything', 'Copper near Manchester'])
  assert.deepEqual(await names(buyer), [])
  for (const id of [second.body.data.id, randomUUID(), 'x', '%00'])
    assert.equal((await buyer.delete(`/api/v1/saved-searches/${id}`)).status, 404)
  for (const { body } of [first, second]) assert.equal((await rival.delete(`/api/v1/saved-searches/${body.data.id}`)).status, 204)
  assert.equal((await rival.delete(`/api/v1/saved-searches/${first.body.data.id}`)).status, 404)
  assert.deepEqual(await names(rival), [])
})

test('an invalid search, and one above the limit, is refused', async () => {
  for (const [filter, more] of [
    [{ 'filter[post_code]': 'nowhere' }],
    [{ 'filter[radius_miles]': 5 }],
    [{ 'filter[material_id]': 'gold' }],
    [{ 'filter[search]': 'a\u0000b' }],
    [{ 'filter[status]': 'ended' }],
    [{ seller_id: 1 }],
    [{}, { name: '' }],
    [{}, { name: 'x'.repeat(61) }],
    [{}, { user_id: sellerId }],
  ] as [object, object?][])
    assert.equal((await save(rival, filter, more)).status, 422, JSON.stringify(filter))
  const broken = await save(rival, { 'filter[search]': '\ud800' }, { alerts: false })
  assert.equal(broken.status, 201)
  const answers = await Promise.all(Array.from({ length: MOST_SAVED_SEARCHES + 5 }, () => save(rival, {}, { alerts: false })))
  assert.ok(answers.filter(({ status }) => status === 409).length >= 5)
  const { body } = await rival.get('/api/v1/saved-searches')
  assert.equal(body.data.length, MOST_SAVED_SEARCHES)
  for (const { id } of body.data) await rival.delete(`/api/v1/saved-searches/${id}`)
})

/** Submitted and not yet started: the clock makes it Active. */
const submit = async (changes: Record<string, unknown> = {}) => {
  const id = await list({ status: 'Processing', starts_at: null, expires_at: null, first_expires_at: null, ...changes })
  const status = async () => (await yard.owner.query('select status from listings where id = $1', [id])).rows[0].status
  while ((await status()) !== 'Active') await pause(5)
  await yard.jobsDone()
  return id
}
const mailsTo = async (name: string, title: string) =>
  (await yard.outbox.list(`${name}@yardbid.test`)).filter(({ subject }) => subject.includes(title))

const toldTo = async (client: Client, title: string): Promise<{ body: string }[]> =>
  (await client.get('/api/v1/notifications')).body.data.filter((each: { title: string }) => each.title === `New listing: ${title}`)

const matching: [string, object, isMet: boolean][] = [
  ['nothing in particular', {}, true],
  ['its words', { 'filter[search]': 'flange' }, true],
  ['other words', { 'filter[search]': 'flange cable' }, false],
  ['its material', { 'filter[material_id]': 'stainless' }, true],
  ['another material', { 'filter[material_id]': 'lead' }, false],
  ['its transfer method', { 'filter[transfer_method_id]': 2 }, true],
  ['another transfer method', { 'filter[transfer_method_id]': 1 }, false],
  ['its price', { 'filter[min_price]': 400_00, 'filter[max_price]': 400_00 }, true],
  ['a lower price', { 'filter[max_price]': 399_99 }, false],
  ['a higher price', { 'filter[min_price]': 400_01 }, false],
  ['its place', { 'filter[post_code]': 'LS1', 'filter[radius_miles]': 5 }, true],
  ['another place', { 'filter[post_code]': 'BS1', 'filter[radius_miles]': 50 }, false],
  ['a post code without a radius', { 'filter[post_code]': 'BS1' }, true],
]
for (const [what, filter, isMet] of matching) {
  test(`a new listing is told ${isMet ? 'once' : 'never'} to a user with an alert for ${what}`, async () => {
    const title = `Flanges ${randomUUID().slice(0, 8)}`
    const saved = await save(buyer, filter, { name: what })
    const at = { latitude: 53.795, longitude: -1.55, post_code: 'LS1 4AP', town: 'Leeds' }
    await submit({ title, material_id: 'stainless', transfer_method_id: 2, start_price: 400_00, ...at })
    const told = await toldTo(buyer, title)
    assert.equal(told.length, isMet ? 1 : 0)
    if (isMet) assert.ok(told[0]?.body.includes(what))
    await buyer.delete(`/api/v1/saved-searches/${saved.body.data.id}`)
  })
}

test('several matching searches of one user tell once, those without alerts and the seller’s never, and a repeated job tells nobody again', async () => {
  const title = `Gantry ${randomUUID().slice(0, 8)}`
  for (const client of [buyer, seller]) await save(client, { 'filter[search]': 'gantry' })
  await save(buyer, { 'filter[material_id]': 'ferrous_oa' })
  await save(rival, { 'filter[search]': 'gantry' }, { alerts: false })
  const id = await submit({ title, material_id: 'ferrous_oa' })
  await Promise.all([tellOfMatches(db, id), tellOfMatches(db, id)])
  await yard.jobsDone()
  assert.deepEqual(await Promise.all([buyer, seller, rival].map(async (client) => (await toldTo(client, title)).length)), [1, 0, 0])
})

test('a listing is told once to a user with ten thousand saved searches, some of which it meets', async () => {
  const other = await newMerchant(yard.owner)
  await yard.owner.query(
    `insert into saved_searches (user_id, name, filter, alerts, material_id, words, min_price)
     select $1, 'Search ' || n, '{}', true, case n % 3 when 0 then 'zinc' when 1 then 'lead' end, to_tsquery('english', 'word' || n % 100), n
     from generate_series(1, 10000) n`,
    [other],
  )
  const id = await submit({ title: 'Word42 and word43', material_id: 'zinc' })
  const { rowCount } = await yard.owner.query('select from notifications where listing_id = $1 and user_id = $2', [id, other])
  assert.equal(rowCount, 1)
})

test('a watcher gets one notice an hour and one ten minutes before the end, with any number of processes, and none after the end', async () => {
  const title = `Crusher ${randomUUID().slice(0, 8)}`
  const { rows } = await yard.owner.query<{ end: Date }>(`select date_trunc('milliseconds', app_now() + interval '2 hours') as end`)
  const end = rows[0]?.end
  const id = await list({ title, expires_at: end, first_expires_at: end })
  const withdrawn = await list({ title: `${title} withdrawn`, expires_at: end, first_expires_at: end })
  for (const each of [id, withdrawn]) await buyer.put(`/api/v1/listings/${each}/watch`)
  await rival.put(`/api/v1/listings/${id}/watch`)
  await rival.delete(`/api/v1/listings/${id}/watch`)
  const second = await yard.another()
  const remind = async () => {
    await Promise.all(Array.from({ length: 4 }, () => remindWatchers(db, ['1h', '10m'])))
    await yard.jobsDone()
    return (await mailsTo('buyer', `Ending soon: ${title}`)).length
  }
  try {
    assert.equal(await remind(), 0)
    await yard.owner.query(`update listings set status = 'Expired' where id = $1`, [withdrawn])
    await yard.travel('65 minutes')
    assert.equal(await remind(), 1)
    // a bid moved the end: the hour was told, and is not told again
    await yard.owner.query(`update listings set expires_at = expires_at + interval '10 minutes' where id = $1`, [id])
    await yard.travel('68 minutes')
    assert.equal(await remind(), 1)
    // whoever begins to watch within the hour knows
    await rival.put(`/api/v1/listings/${id}/watch`)
    await yard.travel('122 minutes')
    assert.equal(await remind(), 2)
    assert.equal((await mailsTo('rival', title)).length, 1)
    await yard.travel('140 minutes')
    assert.equal(await remind(), 2)
  } finally {
    await second.stop()
    await yard.travel('0 minutes')
  }
})
