import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { bid, ended, newMember, openSale, type Merchant } from '#tests/support/auctions/sale.ts'
import { newListing } from '#tests/support/auctions/auction.ts'

const { yard, seller, ann, bob } = await openSale('seller', 'ann', 'bob')

type Told = { kind: string; title: string; body: string; link: string; listing_id: string | null }

/** What somebody was told of a listing, oldest first, with the number of emails about it. */
async function told({ client }: Merchant, listingId: string): Promise<Told[]> {
  const { data } = (await client.get('/api/v1/notifications?include=thumbnail&per_page=100')).body
  return data.filter(({ listing_id }: Told) => listing_id === listingId).toReversed()
}
const kindsOf = async (who: Merchant, id: string) => (await told(who, id)).map(({ kind }) => kind).filter((kind) => kind !== 'payment')

/** Outbid bidders are told after the bid: waits until nobody is left to tell. */
async function outbidsTold(): Promise<void> {
  for (;;) {
    const { rowCount } = await yard.owner.query('select from outbids limit 1')
    if (!rowCount) return yard.jobsDone()
    await pause(10)
  }
}

test('a leader who is outbid is told once for each change of the leader, by list and email; nobody else is', async () => {
  const id = await newListing(yard.owner, seller.id)
  await bid(ann.client, id, 100_00)
  await bid(ann.client, id, 150_00)
  await outbidsTold()
  assert.deepEqual(await kindsOf(ann, id), [], 'raising one’s own bid outbids nobody')
  await bid(bob.client, id, 200_00)
  await outbidsTold()
  assert.deepEqual([await kindsOf(ann, id), await kindsOf(bob, id), await kindsOf(seller, id)], [['outbid'], [], []])
  const [first] = await told(ann, id)
  assert.match(first?.title ?? '', /^You were outbid: /)
  assert.match(first?.body ?? '', /^The price is now £200\.00\. £205\.00 takes the lead\. It ends on /)
  assert.equal(first?.link, `/listings/${id}`)
  await bid(ann.client, id, 300_00)
  await outbidsTold()
  await bid(bob.client, id, 400_00)
  await outbidsTold()
  assert.deepEqual([(await kindsOf(ann, id)).length, (await kindsOf(bob, id)).length], [2, 1])
  const mails = (await yard.outbox.list(ann.email)).filter(({ text }) => text.includes(id))
  assert.equal(mails.length, 2)
})

test('forty bids at once: everybody who led and no longer does is told, the leader and refused bidders are not', async () => {
  const id = await newListing(yard.owner, seller.id)
  const bidders = [ann, bob, await newMember(yard), await newMember(yard)]
  const bids = Array.from({ length: 40 }, (_, nth) => ({ who: bidders[nth % 4] as Merchant, amount: 100_00 + nth * 500 }))
  await Promise.all(bids.map(({ who, amount }) => who.client.post(`/api/v1/listings/${id}/bids`, { amount })))
  await outbidsTold()
  const { rows } = await yard.owner.query<{ bidder_id: string; leads: boolean; has_led: boolean }>(
    `select s.bidder_id, s.status = 'Active' as leads, exists (select from bids b where b.listing_id = s.listing_id and b.leader_after = s.bidder_id) as has_led
     from bid_standings s where s.listing_id = $1`,
    [id],
  )
  for (const who of bidders) {
    const standing = rows.find(({ bidder_id }) => bidder_id === who.id)
    const { rows: newest } = await yard.owner.query<{ source: string }>(
      `select source from notifications where user_id = $1 and listing_id = $2 and kind = 'outbid' order by split_part(source, ':', 3)::int desc limit 1`,
      [who.id, id],
    )
    const { rows: led } = await yard.owner.query<{ seq: number | null }>(
      'select max(seq) as seq from bids where listing_id = $1 and leader_after = $2',
      [id, who.id],
    )
    const toldAt = Number(newest[0]?.source.split(':')[2] ?? 0)
    if (standing?.has_led && !standing.leads) assert.ok(toldAt > Number(led[0]?.seq), 'told after the last time that they led')
    if (standing?.leads) assert.ok(toldAt < Number(led[0]?.seq))
    if (!standing?.has_led) assert.equal(toldAt, 0)
  }
})

test('the end of a sale is told in the list to seller, winner and loser, each with their own words, page and photo', async () => {
  const id = await ended(yard, seller, [
    [bob, 150_00],
    [ann, 200_00],
  ])
  await yard.jobsDone()
  const of = async (who: Merchant) =>
    (await told(who, id))
      .filter(({ kind }) => !['outbid', 'payment'].includes(kind))
      .map(({ kind, title, link }) => [kind, title.split(':')[0], link])
  assert.deepEqual(
    [await of(seller), await of(ann), await of(bob)],
    [
      [['sold', 'Sold', `/my-listings/${id}`]],
      [['won', 'You won', `/activity/${id}`]],
      [['bid_closed', 'You did not win', `/activity/${id}`]],
    ],
  )
})
