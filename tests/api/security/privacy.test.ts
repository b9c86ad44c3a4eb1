import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newListing } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// The security checklist, item 26: what of a listing reaches whom. A field that is new must be put under somebody here.

let yard: Yard
let sellerId: string
let people: Record<'visitor' | 'stranger' | 'winner' | 'loser' | 'owner', Client>

before(async () => {
  yard = await openYard({ demo: true })
  people = {
    visitor: yard.client(),
    stranger: (await signUp(yard)).client,
    winner: await demoUser(yard, 'buyer'),
    loser: await demoUser(yard, 'rival'),
    owner: await demoUser(yard, 'seller'),
  }
  sellerId = (await people.owner.get('/api/v1/auth/me')).body.data.id
})
after(() => yard.close())

const everybody = [
  'id title description status.id status.name status.label status.theme is_owner is_watched can_edit version',
  'material.id material.name material.group material.is_scrap grade ewc_code condition price_basis weight_kg',
  'start_price.value start_price.currency current_price.value current_price.currency minimum_bid.value minimum_bid.currency bid_step.value bid_step.currency',
  'has_reservation_price reservation_met bid_count created_at starts_at expires_at extends_on_late_bids transfer_method_id',
  'location.town location.county location.post_code_district location.latitude location.longitude location.distance_miles',
  'seller.id seller.company_name seller.member_since seller.vat_registered seller.completed_sales',
  'accepts_deferred_payment seller_invoices notes.text notes.at server_time',
  'available_actions.action available_actions.label available_actions.fields.name available_actions.fields.type available_actions.fields.required available_actions.fields.max',
  'available_actions.fields.options',
  'can_offer_at_reservation_price kyc_status deadline.action deadline.at',
].flatMap((line) => line.split(' '))

const bidders = [
  'my_latest_bid.id my_latest_bid.current_bid_price.value my_latest_bid.current_bid_price.currency my_latest_bid.max_price.value my_latest_bid.max_price.currency',
  'my_latest_bid.bid_status.id my_latest_bid.bid_status.name my_latest_bid.bid_status.label withdrawal_reason',
].flatMap((line) => line.split(' '))

const parties = [
  'amounts.goods.value amounts.goods.currency amounts.vat.value amounts.vat.currency amounts.vat_rate amounts.total.value amounts.total.currency amounts.paid.value',
  'amounts.paid.currency amounts.refunded.value amounts.refunded.currency amounts.due.value amounts.due.currency counterparty.id counterparty.company_name',
].flatMap((line) => line.split(' '))

const buyers = 'holding_fee.amount.value holding_fee.amount.currency holding_fee.status holding_fee.last_error'.split(' ')

const owners = [
  'reservation_price.value reservation_price.currency serial_numbers source',
  'address.address_line_1 address.address_line_2 address.town address.county address.post_code address.latitude address.longitude',
].flatMap((line) => line.split(' '))

const allowed: Record<keyof typeof people, string[]> = {
  visitor: everybody,
  stranger: everybody,
  loser: [...everybody, ...bidders],
  winner: [...everybody, ...bidders, ...parties, ...buyers],
  owner: [...everybody, ...parties, ...owners],
}

/** Where something is: what is null or an empty list says nothing. */
const filledPaths = (value: unknown, at: string[] = []): string[] => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((item) => filledPaths(item, at))
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, inner]) => filledPaths(inner, [...at, key]))
  return [at.join('.')]
}

const secrets = /654321|Hidden Yard|7QQ|53\.47812|-2\.23512|acct_|pm_|@/

async function lookAt(id: string) {
  for (const [who, client] of Object.entries(people) as [keyof typeof people, Client][]) {
    const { status, body } = await client.get(`/api/v1/listings/${id}`)
    assert.equal(status, 200, who)
    const extra = filledPaths(body.data).filter((path) => !allowed[who].includes(path))
    assert.deepEqual(extra, [], `${who} sees what is not theirs`)
    const bids = (await client.get(`/api/v1/listings/${id}/bids`)).body
    const seen = JSON.stringify([body, bids])
    if (who !== 'owner') assert.doesNotMatch(seen, secrets, who)
    if (who !== 'winner') assert.doesNotMatch(seen, /4444444/, `${who} sees the leader’s maximum`)
    if (who !== 'owner') assert.doesNotMatch(JSON.stringify(bids), /Tyseley|Pugh/, `${who} sees who bid`)
    const listed = (await client.get(`/api/v1/listings?sort=newest&per_page=60`)).body.data.find((each: { id: string }) => each.id === id)
    if (listed)
      assert.deepEqual(
        filledPaths(listed).filter((path) => !allowed[who].includes(path)),
        [],
        `${who}, in the list`,
      )
  }
}

const list = (changes: Record<string, unknown> = {}) =>
  newListing(yard.owner, sellerId, {
    reservation_price: 1_654_321,
    address_line_1: 'Hidden Yard',
    post_code: 'M1 7QQ',
    latitude: 53.47812,
    longitude: -2.23512,
    extends_on_late_bids: false,
    ...changes,
  })

const bid = (client: Client, id: string, amount: number, max_amount = amount) =>
  client.post(`/api/v1/listings/${id}/bids`, { amount, max_amount }, { 'idempotency-key': randomUUID() })

/** Above the reservation price, so that it is not shown as a price, nor the winner's maximum. */
async function bidByBoth(id: string) {
  assert.equal((await bid(people.winner, id, 2_000_000, 4_444_444)).status, 201)
  assert.equal((await bid(people.loser, id, 2_222_222)).status, 201)
}

test('26: while it is Active, each sees of a listing what is theirs to see and nothing more', async () => {
  const id = await list()
  await lookAt(id)
  await bidByBoth(id)
  await lookAt(id)
})

test('26: when it is sold, the winner does not see the address before it is paid, the others see no more than before', async () => {
  const id = await list()
  await bidByBoth(id)
  await yard.owner.query(
    `update listings set expires_at = past, first_expires_at = past from (select date_trunc('milliseconds', app_now()) as past) as t where id = $1`,
    [id],
  )
  while ((await people.owner.get(`/api/v1/listings/${id}`)).body.data.status.name === 'Active') await pause(20)
  await lookAt(id)
})

test('26: what has ended below its reservation price keeps it to itself', async () => {
  const id = await list()
  assert.equal((await bid(people.loser, id, 200_00)).status, 201)
  await yard.owner.query(
    `update listings set expires_at = past, first_expires_at = past from (select date_trunc('milliseconds', app_now()) as past) as t where id = $1`,
    [id],
  )
  while ((await people.owner.get(`/api/v1/listings/${id}`)).body.data.status.name === 'Active') await pause(20)
  await lookAt(id)
})
