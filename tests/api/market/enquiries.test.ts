import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { enquiryForm, offerFor, postEnquiry } from '#tests/support/market.ts'
import { hostileTexts } from '#tests/support/hostile-texts.ts'
import { openStream, type StreamEvent } from '#tests/support/stream.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let trade: Merchant
let full: Merchant
before(async () => {
  yard = await openYard()
  trade = await newMember(yard, { tier: 'seller', business_activity: 'electrician' })
  full = await newMember(yard)
})
afterEach(() => yard.travel('0 seconds'))
after(() => closeSound(yard))

const found = async (query: string) =>
  (await full.client.get(`/api/v1/market/enquiries?per_page=60&${query}`)).body.data.map(({ id }: { id: string }) => id)
/** Sessions end after a week without use: these people kept using theirs. */
async function travel(interval: string): Promise<void> {
  await yard.travel(interval)
  await yard.owner.query('update sessions set last_seen_at = app_now()')
}

const told = async (userId: string, kind: string, source: string) =>
  (await yard.owner.query('select from notifications where user_id = $1 and kind = $2 and source like $3', [userId, kind, source])).rowCount

test('enquiries are found by words, material, distance, weight and age, newest first, a page at a time', async () => {
  const lead = await postEnquiry(trade.client, { title: 'Roof lead in rolls', material_id: 'lead', weight_kg: 900 })
  const unweighed = await postEnquiry(trade.client, { title: 'Lead pipe', material_id: 'lead', weight_kg: null })
  const far = await postEnquiry(trade.client, {
    title: 'Lead sheet, Plymouth',
    material_id: 'lead',
    weight_kg: 50,
    address: { ...enquiryForm().address, town: 'Plymouth', post_code: 'PL1 1EA', latitude: 50.37, longitude: -4.14 },
  })
  assert.deepEqual(await found('filter[material_id]=lead'), [far, unweighed, lead])
  assert.deepEqual(await found('filter[material_id]=lead&filter[search]=roll'), [lead])
  assert.deepEqual(await found('filter[material_id]=lead&filter[post_code]=M2&filter[radius_miles]=20'), [unweighed, lead])
  assert.deepEqual(await found('filter[material_id]=lead&filter[min_weight_kg]=800'), [unweighed, lead])
  assert.deepEqual(await found('filter[material_id]=lead&filter[max_weight_kg]=800'), [far, unweighed])
  assert.deepEqual(await found('filter[material_id]=lead&filter[bounds]=50,-5,51,-3'), [far])
  const first = (await full.client.get('/api/v1/market/enquiries?filter[material_id]=lead&per_page=2')).body
  const rest = (await full.client.get(`/api/v1/market/enquiries?filter[material_id]=lead&per_page=2&cursor=${first.meta.next_cursor}`)).body
  assert.deepEqual(
    [...first.data, ...rest.data].map(({ id }: { id: string }) => id),
    [far, unweighed, lead],
  )
  assert.equal(rest.meta.next_cursor, null)
  const map = (await full.client.get('/api/v1/market/enquiries/map?filter[material_id]=lead')).body.data
  assert.deepEqual(
    map.points.map(({ id }: { id: string }) => id),
    [far, unweighed, lead],
  )
  for (const bad of ['filter[post_code]=ZZ9', 'cursor=nonsense', 'filter[radius_miles]=5', 'filter[age]=9y', 'filter[bounds]=1,1,0,0'])
    assert.equal((await full.client.get(`/api/v1/market/enquiries?${bad}`)).status, 422, bad)
  await travel('4 days')
  assert.deepEqual(await found('filter[material_id]=lead&filter[age]=3d'), [])
  assert.equal((await found('filter[material_id]=lead&filter[age]=7d')).length, 3)
})

test('the place of an enquiry is shown by district only, and contact details in its texts are refused with the reason', async () => {
  const id = await postEnquiry(trade.client)
  const seen = JSON.stringify((await full.client.get(`/api/v1/market/enquiries/${id}`)).body.data)
  for (const secret of ['Dale Street', '4BT', '53.4812', '-2.2311']) assert.ok(!seen.includes(secret), secret)
  for (const [field, text] of [
    ['title', 'Copper, call 07700 900123'],
    ['description', 'mail me at jo (at) spark (dot) co.uk'],
    ['description', 'oh seven seven double oh nine oh oh one two three'],
  ] as const) {
    const { status, body } = await trade.client.post('/api/v1/market/enquiries', enquiryForm({ [field]: text }))
    assert.equal(status, 422, text)
    assert.match(body.errors[field][0], /Leave out .* when a deal is agreed/)
  }
})

test('200 hostile titles and descriptions are kept as text or refused with a reason, and searching for one harms nothing', async () => {
  const id = await postEnquiry(trade.client)
  for (const text of hostileTexts) {
    const { status, body } = await trade.client.put(`/api/v1/market/enquiries/${id}`, enquiryForm({ title: text, description: text }))
    assert.ok([200, 422, 413].includes(status), `${status} ${text.slice(0, 80)}`)
    // half a character is kept as the sign for one that cannot be shown
    const kept = text.toWellFormed()
    if (status === 200) assert.ok(kept.includes(body.data.title) && kept.includes(body.data.description), text)
    else if (status === 422)
      assert.ok(
        Object.keys(body.errors).every((field) => ['title', 'description'].includes(field)),
        text,
      )
    const found = await full.client.get(`/api/v1/market/enquiries?filter[search]=${encodeURIComponent(text.slice(0, 100).toWellFormed())}`)
    assert.ok([200, 422].includes(found.status), `${found.status} ${text.slice(0, 80)}`)
  }
})

test('an enquiry is edited until the first offer, posted once under one key, and closed by its poster alone', async () => {
  const key = randomUUID()
  const twice = [0, 1].map(() => trade.client.post('/api/v1/market/enquiries', enquiryForm(), { 'idempotency-key': key }))
  const [first, second] = await Promise.all(twice)
  const made = [first, second].filter((answer) => answer?.status === 201)
  assert.ok(made.length >= 1 && [first, second].every((answer) => [201, 409].includes(answer?.status ?? 0)))
  assert.equal(new Set(made.map((answer) => answer?.body.data.id)).size, 1)
  const id = made[0]?.body.data.id

  const edit = (client: typeof trade.client) =>
    client.put(`/api/v1/market/enquiries/${id}`, enquiryForm({ title: 'More cable than I said', weight_kg: 200 }))
  assert.equal((await edit(full.client)).status, 404)
  assert.deepEqual([(await edit(trade.client)).body.data.weight_kg, (await edit(trade.client)).status], [200, 200])
  const offer = (await offerFor(full.client, id)).body.data
  const late = await edit(trade.client)
  assert.deepEqual([late.status, late.body.code], [409, 'enquiry_not_editable'])

  const closed = await trade.client.delete(`/api/v1/market/enquiries/${id}`)
  assert.deepEqual(
    [closed.status, closed.body.data.status, closed.body.data.ended_by, closed.body.data.offers[0].status],
    [200, 'ended', 'poster', 'closed'],
  )
  assert.equal(await told(full.id, 'enquiry_ended', `enquiry:${id}:%`), 1)
  assert.equal((await trade.client.delete(`/api/v1/market/enquiries/${id}`)).status, 409)
  assert.equal((await trade.client.post(`/api/v1/market/offers/${offer.id}/accept`)).status, 409)
  assert.ok(!(await found('')).includes(id))
})

test('an enquiry ends after 14 days with a reminder a day before; extended, it runs its whole time again', async () => {
  const id = await postEnquiry(trade.client)
  const kept = await postEnquiry(trade.client)
  const offer = (await offerFor(full.client, id)).body.data
  await travel('13 days 1 hour')
  await yard.jobsDone()
  assert.equal(await told(trade.id, 'enquiry_ends_soon', `enquiry:${id}:%`), 1)
  assert.equal((await trade.client.post(`/api/v1/market/enquiries/${kept}/extend`)).status, 200)
  await travel('14 days 1 minute')
  // over at its time, whether or not a job has said so
  assert.equal((await trade.client.post(`/api/v1/market/offers/${offer.id}/accept`)).status, 409)
  await yard.jobsDone()
  const { status, ended_by } = (await trade.client.get(`/api/v1/market/enquiries/${id}`)).body.data
  assert.deepEqual([status, ended_by], ['ended', 'time'])
  for (const [user, one] of [[trade, 1], [full, 1]] as const) assert.equal(await told(user.id, 'enquiry_ended', `enquiry:${id}:%`), one) // prettier-ignore
  assert.equal((await trade.client.get(`/api/v1/market/enquiries/${kept}`)).body.data.status, 'open')
  await travel('27 days 2 hours')
  await yard.jobsDone()
  assert.equal((await trade.client.get(`/api/v1/market/enquiries/${kept}`)).body.data.status, 'ended')
})

test('the market’s stream tells of a new enquiry to those who may view it, and of nothing to others', async () => {
  const cookie = [...full.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await openStream(`${yard.url}/api/v1/events?topics=market,listings`, { cookie })
  const all = await openStream(`${yard.url}/api/v1/events?topics=listings`)
  const id = await postEnquiry(trade.client)
  const isIt = ({ event, data }: StreamEvent) => event === 'enquiry' && data.enquiry_id === id
  const events = await stream.until((seen) => seen.some(isIt))
  assert.deepEqual([events.find(isIt)?.data.status, events.find(isIt)?.data.title], ['open', 'Copper cable from a rewire'])
  assert.deepEqual(all.events, [])
  stream.close()
  all.close()
  assert.equal((await trade.client.get('/api/v1/events?topics=market')).status, 403)
  assert.equal((await yard.client().get('/api/v1/events?topics=market')).status, 401)
})

test('tradespeople who agreed are shown by postcode district, to those whose plan includes it, and never by street', async () => {
  assert.deepEqual((await full.client.get('/api/v1/market/tradespeople')).body.data, [])
  const save = (member: Merchant, show_on_map: boolean) =>
    member.client.post('/api/v1/auth/marketplace/preferences', { material_ids: [], alerts: false, show_on_map })
  assert.equal((await save(trade, true)).status, 200)
  assert.equal((await save(full, true)).status, 422)
  const { body } = await full.client.get('/api/v1/market/tradespeople')
  assert.deepEqual([body.data.length, body.data[0].post_code_district, body.data[0].people.length], [1, 'M1', 1])
  assert.ok(!JSON.stringify(body).includes('Foundry'))
  assert.equal((await trade.client.get('/api/v1/market/tradespeople')).status, 403)
  await save(trade, false)
  assert.deepEqual((await full.client.get('/api/v1/market/tradespeople')).body.data, [])
})
