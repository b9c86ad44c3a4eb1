import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '#tests/support/files/made-files.ts'
import { act, acts, bid, ended, left, newMember, setUser, type Merchant, openSale } from '#tests/support/auctions/sale.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { upload } from '#tests/support/files/stores.ts'

const { yard, seller, ann, bob } = await openSale('seller', 'ann', 'bob')

/** Subjects of the letters about one listing's steps, oldest first. Whoever is outbid is told of that too, if the listing still runs then. */
async function letters(who: Merchant, id: string): Promise<string[]> {
  await yard.jobsDone()
  return (await yard.outbox.list(who.email))
    .filter(({ text }) => text.includes(id))
    .map(({ subject }) => subject.split(':')[0] ?? '')
    .filter((subject) => !['Your card needs you', 'You were outbid'].includes(subject))
    .toReversed()
}

test('the seller hears that a listing is live, with a link to it', async () => {
  const photo = (await upload(seller.client, { bytes: await png(), mime_type: 'image/png', filename: 'a.png' })).id
  const { body } = await seller.client.post('/api/v1/listings', {
    title: 'Copper <b>wire</b>',
    description: 'Dry',
    material_id: 'copper_bright',
    price_basis: 'lot',
    start_price: 100_00,
    duration_days: 3,
    transfer_method_id: 1,
    use_default_address: true,
    media: [photo],
  })
  const { id } = body.data
  await left(yard, id, 'Processing')
  assert.deepEqual(await letters(seller, id), ['Your listing is live'])
  const [mail] = await yard.outbox.list(seller.email)
  assert.ok(mail?.text.includes(`http://localhost:3000/my-listings/${id}`))
  assert.ok(!mail?.html.includes('<b>wire'))
})

test('a sale is told to seller, winner and those who lost; nobody is told twice', async () => {
  const id = await ended(yard, seller, [
    [bob, 150_00],
    [ann, 200_00],
  ])
  assert.deepEqual(
    [await letters(seller, id), await letters(ann, id), await letters(bob, id)],
    [['Sold'], ['You won'], ['You did not win']],
  )
  const { rows } = await yard.owner.query<{ id: string }>('select id from listing_events where listing_id = $1', [id])
  await yard.owner.query(
    `insert into jobs (kind, payload) select 'tell_of_step', jsonb_build_object('event_id', $1::text) from generate_series(1, 3)`,
    [rows[0]?.id],
  )
  await yard.owner.query(`select pg_notify('jobs', '')`)
  assert.deepEqual(
    [await letters(seller, id), await letters(ann, id), await letters(bob, id)],
    [['Sold'], ['You won'], ['You did not win']],
  )
})

test('a step that is refused tells nobody', async () => {
  const id = await newListing(yard.owner, seller.id)
  await bid(ann.client, id, 100_00)
  assert.equal((await act(seller.client, id, 'withdraw', { reason: 'No' })).status, 409)
  assert.deepEqual([await letters(seller, id), await letters(ann, id)], [[], []])
})

test('offers are told to whom they are made, and their end to both sides', async () => {
  const id = await ended(yard, seller, [[ann, 200_00]], { reservation_price: 900_00 })
  assert.deepEqual([await letters(seller, id), await letters(ann, id)], [['Reservation price not met'], ['Not sold']])
  await acts(seller.client, id, 'offer_to_highest_bidder', 'ReservationPrice')
  await yard.jobsDone()
  const offer = (await yard.outbox.list(ann.email)).find(({ subject }) => subject.startsWith('Offered to you'))
  assert.match(offer?.text ?? '', /at your own bid of £200\.00\.[^]*until \d+ \w+ at \d\d:\d\d/)
  await acts(ann.client, id, 'decline_offer', 'Expired')
  assert.equal((await letters(seller, id)).at(-1), 'Offer declined')
  assert.deepEqual(await letters(ann, id), ['Not sold', 'Offered to you'])
})

test('a sale that goes to the next bidder is told to all three', async () => {
  await setUser(yard, ann.id, { payment_account_verified: false })
  const id = await ended(yard, seller, [
    [bob, 150_00],
    [ann, 200_00],
  ])
  await yard.travel('3 hours 1 minute')
  assert.equal(await left(yard, id, 'AwaitingKYC'), 'NextBidder')
  assert.deepEqual(
    [(await letters(seller, id)).at(-1), (await letters(ann, id)).at(-1), (await letters(bob, id)).at(-1)],
    ['Sale fallen through', 'Sale fallen through', 'Offered to you'],
  )
  await setUser(yard, ann.id, { payment_account_verified: true })
})

test('nobody is written to whose account is gone', async () => {
  const gone = await newMember(yard)
  const id = await newListing(yard.owner, seller.id, {
    reservation_price: 900_00,
    expires_at: new Date(Date.now() + 48 * 3_600_000),
  })
  await bid(gone.client, id, 100_00)
  await yard.owner.query('update users set deleted_at = app_now(), erased_at = app_now() where id = $1', [gone.id])
  await acts(seller.client, id, 'withdraw', 'Expired', { reason: 'Sold elsewhere' })
  assert.deepEqual(await letters(gone, id), [])
})
