import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { send, type Answered } from '#tests/support/auctions/bidders.ts'

// What was told to the bidders against what the database kept.

/** All keys were answered in the end, so the rows are exactly the bids that were: none lost, none twice, none that was refused. */
export async function everyAnswerIsKept(owner: pg.ClientBase, accepted: Answered[]): Promise<void> {
  const told = accepted.map(({ listing, bidder, amount, max_amount, body: { data } }) => ({
    id: data.bid.id,
    seq: data.bid.seq,
    listing_id: listing,
    bidder_id: bidder.id,
    amount,
    max_amount,
    price_after: data.bid.current_price.value,
  }))
  const { rows } = await owner.query('select id, seq, listing_id, bidder_id, amount, max_amount, price_after from bids')
  assert.deepEqual(inOrder(rows), inOrder(told))
}

const inOrder = <T extends { listing_id: string; seq: number; id: string }>(bids: T[]) =>
  bids.toSorted((a, b) => a.listing_id.localeCompare(b.listing_id) || a.seq - b.seq || a.id.localeCompare(b.id))

/** A bid that was sent after another was acknowledged has a higher place and no lower price. */
export function laterBidsComeLater(accepted: Answered[]): void {
  for (const bids of Map.groupBy(accepted, ({ listing }) => listing).values()) {
    const byAnswer = bids.toSorted((a, b) => a.answeredAt - b.answeredAt)
    for (const bid of bids) {
      const before = byAnswer.filter(({ answeredAt }) => answeredAt < bid.sentAt)
      const { seq, current_price } = bid.body.data.bid
      for (const { body } of before) {
        assert.ok(body.data.bid.seq < seq, `${bid.key}: place ${seq} after ${body.data.bid.seq}`)
        assert.ok(body.data.bid.current_price.value <= current_price.value, `${bid.key}: the price fell`)
      }
    }
  }
}

export async function sameKeysAnswerTheSame(answered: Answered[], urls: readonly string[]): Promise<void> {
  const verdict = ({ status, body }: { status: number; body: any }) => ({
    status,
    told: body.data?.bid ?? [body.code, body.message, body.minimum_bid],
  })
  const again = async (bids: Answered[]) => {
    for (const sent of bids) for (const url of urls) assert.deepEqual(verdict(await sendUntilAnswered(url, sent)), verdict(sent), sent.key)
  }
  const byBidder = Map.groupBy(sample(answered, 300), ({ bidder }) => bidder)
  await Promise.all([...byBidder.values()].map(again))
}

async function sendUntilAnswered(url: string, sent: Answered) {
  for (;;) {
    const answer = await send(url, sent.bidder, sent)
    if (answer.status > 0 && answer.status < 500) return answer
    await pause(50)
  }
}

/** Those that were sent more than once first. */
const sample = (answered: Answered[], most: number) => answered.toSorted((a, b) => b.sends - a.sends).slice(0, most)

/** Of the listings whose end had come by this moment. */
export async function everyEndIsOne(owner: pg.ClientBase, moment: Date): Promise<void> {
  const { rows } = await owner.query(
    `
    select l.id, l.status, l.leading_bid_id, l.current_price, l.current_price >= coalesce(l.reservation_price, 0) as is_met,
           (select count(*)::int from listing_events e where e.listing_id = l.id and e.step like 'end\\_%') as ends,
           array(select bid_id from awards a where a.listing_id = l.id) as awarded
    from listings l
    where l.expires_at <= $1`,
    [moment],
  )
  assert.ok(rows.length > 0, 'some listings ended')
  for (const { id, status, leading_bid_id, current_price, is_met, ends, awarded } of rows) {
    assert.equal(ends, 1, id)
    assert.deepEqual(awarded, is_met && current_price !== null ? [leading_bid_id] : [], id)
    assert.equal(status, awarded.length > 0 ? 'PendingPayment' : 'Expired', id)
  }
}
