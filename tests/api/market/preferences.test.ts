import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import { newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { enquiryForm, postEnquiry } from '#tests/support/market.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let trade: Merchant
before(async () => {
  yard = await openYard()
  trade = await newMember(yard, { tier: 'seller', business_activity: 'electrician' })
})
after(() => closeSound(yard))

const path = '/api/v1/auth/marketplace/preferences'
const near = { material_ids: ['copper_cable'], post_code: 'M3', radius_miles: 10, alerts: true }

const told = async (userId: string, kind: string) => {
  await yard.jobsDone()
  return (await yard.owner.query('select from notifications where user_id = $1 and kind = $2', [userId, kind])).rowCount
}

/** Each is one member; the enquiry is 120 kg of copper cable in M1. */
const cases: [says: string, preferences: object, isTold: boolean, changes?: { tier?: string; later?: string }][] = [
  ['near enough', near, true],
  ['another material', { ...near, material_ids: ['lead', 'copper_bright'] }, false],
  ['too far', { ...near, post_code: 'LS1' }, false],
  ['far, within a wide radius', { ...near, post_code: 'LS1', radius_miles: 60 }, true],
  ['no place at all', { material_ids: ['copper_cable'], alerts: true }, true],
  ['a place without a radius', { material_ids: ['copper_cable'], post_code: 'PL1', alerts: true }, true],
  ['alerts off', { ...near, alerts: false }, false],
  ['heavy enough', { ...near, min_weight_kg: 120 }, true],
  ['too light', { ...near, min_weight_kg: 121 }, false],
  ['basic has no market_get_notifications', near, false, { tier: 'basic' }],
  ['seller has no market_get_notifications', near, false, { tier: 'seller' }],
  ['suspended', near, false, { later: `suspended_at = app_now()` }],
]

test('members whose preferences match an enquiry by material, weight and distance are told of it, once', async () => {
  const members: { id: string; says: string; isTold: boolean }[] = []
  for (const [says, preferences, isTold, { later, ...changes } = {}] of cases) {
    const { client, id } = await newMember(yard, changes)
    const saved = await client.post(path, preferences)
    assert.deepEqual([saved.status, saved.body.message], [200, 'Material preferences updated.'], says)
    if (later) await yard.owner.query(`update users set ${later} where id = $1`, [id])
    members.push({ id, says, isTold })
  }
  const blocked = await newMember(yard)
  await blocked.client.post(path, near)
  await blocked.client.put(`/api/v1/users/${trade.id}/block`)
  const id = await postEnquiry(trade.client)
  for (const member of members) assert.equal(await told(member.id, 'enquiry_matched'), member.isTold ? 1 : 0, member.says)
  assert.equal(await told(blocked.id, 'enquiry_matched'), 0)
  assert.equal(await told(trade.id, 'enquiry_matched'), 0)
  // changed, it tells those whom it now matches, and nobody twice
  await trade.client.put(`/api/v1/market/enquiries/${id}`, enquiryForm({ weight_kg: null }))
  for (const { id: member, says, isTold } of members)
    assert.equal(await told(member, 'enquiry_matched'), isTold || says === 'too light' ? 1 : 0, says)
})

test('preferences are read as they were saved, end the prompt to set them up, and say what is wrong', async () => {
  const { client } = await newMember(yard)
  const prompt = async () => (await client.get('/api/v1/auth/me')).body.data.call_to_setup_market_preferences.show
  assert.equal((await client.get(path)).body.data.updated_at, null)
  assert.equal(await prompt(), true)
  const sent = { material_ids: ['lead', 'zinc', 'lead'], min_weight_kg: 20, post_code: 'm1 4bt', radius_miles: 25, alerts: true }
  const { data } = (await client.post(path, sent)).body
  assert.deepEqual(
    [data.material_ids, data.min_weight_kg, data.post_code, data.radius_miles, data.alerts, data.show_on_map],
    [['lead', 'zinc'], 20, 'M1 4BT', 25, true, null],
  )
  assert.equal(await prompt(), false)
  for (const [field, wrong] of [
    ['material_ids.0', { material_ids: ['gold'] }],
    ['post_code', { post_code: 'ZZ99' }],
    ['post_code', { post_code: null }],
    ['radius_miles', { radius_miles: 501 }],
    ['min_weight_kg', { min_weight_kg: 0 }],
  ] as const) {
    const { status, body } = await client.post(path, { ...sent, material_ids: ['lead'], ...wrong })
    assert.equal(status, 422, JSON.stringify(wrong))
    assert.ok(field in body.errors, JSON.stringify(body.errors))
  }
})

test('listings for you are those of the saved materials within the radius, ending soonest first, without the own ones', async () => {
  const { client, id } = await newMember(yard)
  const seller = await newMember(yard)
  assert.deepEqual((await client.get('/api/v1/listings/for-you')).body.data, [])
  await client.post(path, { material_ids: ['zinc', 'lead'], post_code: 'M1', radius_miles: 20, min_weight_kg: 100, alerts: true })
  const list = (owner: string, changes: object) => newListing(yard.owner, owner, { material_id: 'zinc', ...changes })
  const { rows } = await yard.owner.query<{ soon: Date }>(`select date_trunc('milliseconds', app_now() + interval '20 minutes') as soon`)
  const later = await list(seller.id, {})
  const sooner = await list(seller.id, { material_id: 'lead', expires_at: rows[0]?.soon, first_expires_at: rows[0]?.soon, weight_kg: 100 })
  await list(seller.id, { weight_kg: 99 })
  await list(seller.id, { material_id: 'brass' })
  await list(seller.id, { latitude: 51.5, longitude: -0.1, post_code: 'EC1A 1BB' })
  await list(id, {})
  const { data } = (await client.get('/api/v1/listings/for-you')).body
  assert.deepEqual(
    data.map((each: { id: string }) => each.id),
    [sooner, later],
  )
})

test('a listing that is published tells those whose preferences match, whatever their plan', async () => {
  const seller = await newMember(yard)
  const readers = [await newMember(yard), await newMember(yard, { tier: 'basic' }), await newMember(yard, { tier: 'seller' })]
  const other = await newMember(yard)
  for (const { client } of readers) await client.post(path, { ...near, material_ids: ['motors'] })
  await other.client.post(path, { ...near, material_ids: ['weee'] })
  const id = await newListing(yard.owner, seller.id, { material_id: 'motors' })
  await yard.owner.query(`insert into jobs (kind, payload) values ('match_preferences', jsonb_build_object('listing_id', $1::uuid))`, [id])
  await yard.owner.query(`select pg_notify('jobs', '')`)
  for (const reader of readers) assert.equal(await told(reader.id, 'listing_matched'), 1)
  for (const { id: nobody } of [other, seller]) assert.equal(await told(nobody, 'listing_matched'), 0)
})
