import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { offerFor, postEnquiry, say } from '#tests/support/market.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let trade: Merchant
let full: Merchant
let rival: Merchant
let basic: Merchant
before(async () => {
  yard = await openYard()
  trade = await newMember(yard, { tier: 'seller', business_activity: 'electrician', company_name: 'Spark & Co' })
  full = await newMember(yard, { company_name: 'Full Metals' })
  rival = await newMember(yard, { company_name: 'Rival Metals' })
  basic = await newMember(yard, { tier: 'basic' })
})
after(() => closeSound(yard))

const noticesOf = async (userId: string, kind: string) =>
  (
    await yard.owner.query<{ link: string; source: string }>('select link, source from notifications where user_id = $1 and kind = $2', [
      userId,
      kind,
    ])
  ).rows

test('a merchant offers, the trade counters, the merchant accepts: both see the record and each other’s contact details', async () => {
  const id = await postEnquiry(trade.client)
  const offered = await offerFor(full.client, id, 250_00, {
    collect_at: '2099-05-04',
    message: 'Cash is not possible, bank transfer today',
  })
  assert.equal(offered.status, 201, JSON.stringify(offered.body))
  const { conversation_id, status } = offered.body.data
  assert.equal(status, 'open')

  const seen = (await trade.client.get(`/api/v1/market/enquiries/${id}`)).body.data
  assert.deepEqual([seen.offers.length, seen.offer_count, seen.conversations[0].with.company_name], [1, 1, 'Full Metals'])
  assert.equal((await noticesOf(trade.id, 'enquiry_offer')).length, 1)

  const counter = await trade.client.post(`/api/v1/market/offers/${offered.body.data.id}/counter`, { price: 280_00 })
  assert.equal(counter.status, 201)
  // each side may accept the other's latest: the first offer still stands
  const before = (await full.client.get(`/api/v1/market/conversations/${conversation_id}`)).body.data
  assert.deepEqual(
    before.offers.map((each: { mine: boolean; can_accept: boolean; status: string }) => [each.mine, each.can_accept, each.status]),
    [[false, true, 'open'], [true, false, 'open']], // prettier-ignore
  )
  assert.equal(before.deal, null)

  const accepted = await full.client.post(`/api/v1/market/offers/${counter.body.data.id}/accept`)
  assert.deepEqual([accepted.status, accepted.body.data.status], [200, 'accepted'])
  assert.equal((await full.client.post(`/api/v1/market/offers/${counter.body.data.id}/accept`)).status, 409)
  assert.equal((await trade.client.post(`/api/v1/market/offers/${offered.body.data.id}/accept`)).status, 409)

  const ours = (await full.client.get(`/api/v1/market/conversations/${conversation_id}`)).body.data
  const theirs = (await trade.client.get(`/api/v1/market/enquiries/${id}`)).body.data
  assert.deepEqual(
    [ours.enquiry.status, theirs.status, ours.deal.price.value, theirs.deal.price.value],
    ['agreed', 'agreed', 280_00, 280_00],
  )
  assert.deepEqual([ours.deal.counterparty.company_name, theirs.deal.counterparty.company_name], ['Spark & Co', 'Full Metals'])
  assert.ok(ours.deal.counterparty.contact_number && ours.deal.counterparty.email)
  assert.equal(ours.deal.address.address_line_1, '4 Dale Street')
  for (const { id: party } of [trade, full]) assert.equal((await noticesOf(party, 'enquiry_agreed')).length, 1)
})

test('46: 50 members grab the same deal and the trade accepts two at once: one holder, 49 told', async () => {
  const id = await postEnquiry(trade.client, { title: 'Lead from a roof' })
  const members: Merchant[] = []
  for (let nth = 0; nth < 50; nth++) members.push(await newMember(yard, { tier: nth % 2 ? 'full' : 'seller' }))
  const offers = await Promise.all(members.map(({ client }, nth) => offerFor(client, id, (100 + nth) * 100)))
  assert.deepEqual([...new Set(offers.map(({ status }) => status))], [201])
  const answers = await Promise.all([7, 31].map((nth) => trade.client.post(`/api/v1/market/offers/${offers[nth]?.body.data.id}/accept`)))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409],
  )
  const { rows: holders } = await yard.owner.query<{ holder_id: string }>('select holder_id from enquiry_deals where enquiry_id = $1', [id])
  assert.equal(holders.length, 1)
  const { rows: told } = await yard.owner.query<{ user_id: string }>(
    `select user_id from notifications where kind = 'enquiry_closed_for_others' and source = $1`,
    [`enquiry:${id}:agreed`],
  )
  const others = members.map((member) => member.id).filter((each) => each !== holders[0]?.holder_id)
  assert.deepEqual(told.map(({ user_id }) => user_id).toSorted(), others.toSorted())
  const { rows: statuses } = await yard.owner.query(
    'select status, count(*)::int from enquiry_offers where enquiry_id = $1 group by status order by status',
    [id],
  )
  assert.deepEqual(statuses, [{ status: 'accepted', count: 1 }, { status: 'closed', count: 49 }]) // prettier-ignore
  assert.equal((await offerFor(full.client, id)).status, 409)
})

test('a merchant who accepts a counter-offer while the trade accepts another offer: one of the two gets the deal', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await postEnquiry(trade.client)
    const first = (await offerFor(full.client, id)).body.data
    const second = (await offerFor(rival.client, id)).body.data
    const counter = (await trade.client.post(`/api/v1/market/offers/${first.id}/counter`, { price: 1_00 })).body.data
    const answers = await Promise.all([
      full.client.post(`/api/v1/market/offers/${counter.id}/accept`),
      trade.client.post(`/api/v1/market/offers/${second.id}/accept`),
      trade.client.post(`/api/v1/market/offers/${first.id}/accept`),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409],
    )
  }
})

test('46: enquiries are viewed by full and basic only, and messaged by full and seller only', async () => {
  const other = await newMember(yard, { tier: 'seller' })
  const id = await postEnquiry(trade.client)
  const view = async ({ client }: Merchant) => (await client.get('/api/v1/market/enquiries')).status
  assert.deepEqual([await view(full), await view(basic), await view(other)], [200, 200, 403])
  assert.deepEqual(
    [(await offerFor(full.client, id)).status, (await offerFor(basic.client, id)).status, (await offerFor(other.client, id)).status],
    [201, 403, 201],
  )
  // a seller sees the enquiry of the own conversation, and no other
  assert.equal((await other.client.get(`/api/v1/market/enquiries/${id}`)).status, 200)
  assert.equal((await other.client.get(`/api/v1/market/enquiries/${await postEnquiry(full.client)}`)).status, 404)
})

test('another’s conversation, messages, offers and deal are not there', async () => {
  const id = await postEnquiry(trade.client)
  const { id: offerId, conversation_id } = (await offerFor(full.client, id)).body.data
  const stranger = rival.client
  for (const [method, path] of [
    ['GET', `/api/v1/market/conversations/${conversation_id}`],
    ['GET', `/api/v1/market/conversations/${conversation_id}/messages`],
    ['PUT', `/api/v1/market/conversations/${conversation_id}/read`],
    ['POST', `/api/v1/market/offers/${offerId}/accept`],
    ['POST', `/api/v1/market/offers/${offerId}/decline`],
    ['POST', `/api/v1/market/offers/${offerId}/withdraw`],
    ['POST', `/api/v1/market/enquiries/${id}/extend`],
    ['DELETE', `/api/v1/market/enquiries/${id}`],
    ['GET', `/api/v1/market/conversations/${randomUUID()}`],
    ['GET', '/api/v1/market/conversations/%00'],
  ] as const)
    assert.equal((await stranger.ask(method, path)).status, 404, `${method} ${path}`)
  assert.equal((await say(stranger, conversation_id, 'Hello')).status, 404)
  assert.equal((await stranger.post(`/api/v1/market/offers/${offerId}/counter`, { price: 100 })).status, 404)
  const seen = (await stranger.get(`/api/v1/market/enquiries/${id}`)).body.data
  assert.deepEqual([seen.offers, seen.address, seen.location.post_code_district], [undefined, null, 'M1'])
  await trade.client.post(`/api/v1/market/offers/${offerId}/accept`)
  assert.equal((await stranger.get(`/api/v1/market/enquiries/${id}`)).body.data.address, null)
})

test('a message sent again under its key is one message, contact details are masked until the deal, and reading reads the notifications', async () => {
  const id = await postEnquiry(trade.client)
  const asked = await full.client.post(`/api/v1/market/enquiries/${id}/conversations`, { body: 'Is it still there?' })
  assert.equal(asked.status, 201)
  const conversation = asked.body.data.id
  const key = randomUUID()
  const twice = [
    await say(full.client, conversation, 'Ring me on 07700 900123', key),
    await say(full.client, conversation, 'Ring me on 07700 900123', key),
  ]
  assert.deepEqual(twice.map(({ status, body }) => [status, body.data.seq]), [[201, 2], [201, 2]]) // prettier-ignore
  assert.equal((await say(full.client, conversation, 'Another text', key)).status, 422)
  const read = async ({ client }: Merchant) => (await client.get(`/api/v1/market/conversations/${conversation}/messages`)).body.data
  const masked = await read(trade)
  assert.equal(masked.length, 2)
  assert.ok(!masked[1].body.includes('900123') && masked[1].is_masked)
  const unread = async () =>
    (await trade.client.get('/api/v1/market/conversations')).body.data.find((each: { id: string }) => each.id === conversation).unread_count
  assert.equal(await unread(), 2)
  assert.equal((await trade.client.put(`/api/v1/market/conversations/${conversation}/read`)).status, 204)
  assert.equal(await unread(), 0)
  assert.ok((await read(full))[1].read_at)
  const { rows } = await yard.owner.query('select from notifications where user_id = $1 and source like $2 and read_at is null', [
    trade.id,
    `market:${conversation}:%`,
  ])
  assert.equal(rows.length, 0)

  const offer = (await offerFor(full.client, id)).body.data
  assert.equal(offer.conversation_id, conversation)
  assert.equal((await trade.client.post(`/api/v1/market/offers/${offer.id}/accept`)).status, 200)
  assert.equal((await read(trade))[1].body, 'Ring me on 07700 900123')
})

test('a block stops messages, offers, counter-offers and accepting, in both directions', async () => {
  const merchant = await newMember(yard)
  const id = await postEnquiry(trade.client)
  const { id: offerId, conversation_id } = (await offerFor(merchant.client, id)).body.data
  await trade.client.put(`/api/v1/users/${merchant.id}/block`)
  const answers = [
    await say(merchant.client, conversation_id, 'Hello?'),
    await say(trade.client, conversation_id, 'Hello?'),
    await offerFor(merchant.client, id),
    await trade.client.post(`/api/v1/market/offers/${offerId}/accept`),
    await trade.client.post(`/api/v1/market/offers/${offerId}/counter`, { price: 100 }),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    answers.map(() => [403, 'blocked']),
  )
  const shown = (await merchant.client.get(`/api/v1/market/conversations/${conversation_id}`)).body.data
  assert.deepEqual([shown.can_send, shown.has_blocked], [false, false])
  await trade.client.delete(`/api/v1/users/${merchant.id}/block`)
  assert.equal((await trade.client.post(`/api/v1/market/offers/${offerId}/accept`)).status, 200)
})

test('a declined, withdrawn or replaced offer cannot be accepted, and the other side is told', async () => {
  const id = await postEnquiry(trade.client)
  const first = (await offerFor(full.client, id, 100_00)).body.data
  assert.equal((await trade.client.post(`/api/v1/market/offers/${first.id}/decline`)).status, 200)
  const second = (await offerFor(full.client, id, 110_00)).body.data
  const third = (await offerFor(full.client, id, 120_00)).body.data
  assert.equal((await full.client.post(`/api/v1/market/offers/${third.id}/accept`)).status, 409)
  assert.equal((await full.client.post(`/api/v1/market/offers/${third.id}/withdraw`)).status, 200)
  for (const [each, status] of [
    [first, 'declined'],
    [second, 'replaced'],
    [third, 'withdrawn'],
  ] as const) {
    // prettier-ignore
    assert.equal((await trade.client.post(`/api/v1/market/offers/${each.id}/accept`)).status, 409)
    assert.equal((await yard.owner.query('select status from enquiry_offers where id = $1', [each.id])).rows[0].status, status)
  }
  const declined = await noticesOf(full.id, 'enquiry_offer_declined')
  const withdrawn = await noticesOf(trade.id, 'enquiry_offer_withdrawn')
  assert.ok(declined.some(({ source }) => source.endsWith(first.id)) && withdrawn.some(({ source }) => source.endsWith(third.id)))
})
