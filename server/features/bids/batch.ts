import { hash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { materials } from '#contract/values/materials.ts'
import { decideBid, endAfterBid, minimumBid } from '#domain/bids/bidding.ts'
import { bidRefusals, whyNotBid } from '#domain/bids/may-bid.ts'
import { isVisible } from '#domain/listings/visibility.ts'
import { LARGEST_PAYMENT, owed } from '#domain/money.ts'
import { sendTogether } from '#server/db/db.ts'
import { lockAndRead, pairOf, type BatchData, type LockedListing } from '#server/features/bids/batch-read.ts'
import { writeAnswers, writeBids, type TouchedListing, type WrittenBid } from '#server/features/bids/batch-write.ts'
import type { ListingRow } from '#server/features/listings/public.ts'
import type { BidRules } from '#server/features/settings/public.ts'
import { notFound } from '#server/http/errors.ts'
import { tellOfBids } from '#server/live/outbox.ts'

// One batch of bids, decided in the order in which they came. The rows are locked first, then the clock is read, then
// everything else: what is read after the lock is what the bids are judged by.

export type BidRequest = { listingId: string; bidderId: string; amount: number; max: number; key: string }

export type BidAnswer =
  | {
      outcome: 'accepted'
      bid: { id: string; seq: number; amount: number; max_amount: number; price_after: number; is_leading: boolean; accepted_at: string }
    }
  | { outcome: 'refused'; code: string; says: string; minimum_bid?: number }

/** The answer, with the listing as the batch left it and its bidder sees it: nothing where there is none to see. */
export type PlacedBid = { answer: BidAnswer; listing: ListingRow | null; steps: BidRules['steps'] }

/** In one transaction; a client on which this throws is not fit for another. */
export async function decideBatch(
  client: pg.ClientBase,
  requests: readonly BidRequest[],
  readRules: () => Promise<BidRules>,
): Promise<PlacedBid[]> {
  const [rules, known] = await Promise.all([readRules(), lockAndRead(client, requests)])
  const state: BatchState = { rules, known, before: leadersOf(known), written: [], fresh: [] }
  const answers = requests.map((request) => answerOnce(request, state))
  const touched = touchedBy(state)
  const [, kept] = await Promise.all([
    touched.length > 0 && writeBids(client, state.written, touched),
    state.fresh.length > 0 && writeAnswers(client, state.fresh),
  ])
  if (kept && kept.hasClash) {
    // another process used the key first and has committed: the batch is judged again, and finds that answer
    await client.query('rollback')
    return decideBatch(client, requests, readRules)
  }
  await sendTogether(client, () => [touched.length > 0 && tellOfBids(client, state.written), client.query('commit')])
  return requests.map((request, nth) => ({ answer: answers[nth] as BidAnswer, listing: seenBy(request, known), steps: rules.steps }))
}

type BatchState = {
  rules: BidRules
  known: BatchData
  /** Who led each listing when it was locked. */
  before: Map<string, Leader>
  written: WrittenBid[]
  /** Answers to keys that were not used before. */
  fresh: { request: BidRequest; hash: string; answer: BidAnswer }[]
}

type Leader = Pick<LockedListing, 'leader_id' | 'leader_max' | 'leading_bid_id'>

const leadersOf = ({ listings }: BatchData): Map<string, Leader> =>
  new Map([...listings.values()].map(({ id, leader_id, leader_max, leading_bid_id }) => [id, { leader_id, leader_max, leading_bid_id }]))

/** The listings that the batch has changed; each is a version further, however many bids it got. */
function touchedBy({ written, known, before }: BatchState): TouchedListing[] {
  return [...new Set(written.map(({ request }) => request.listingId))].map((id) => {
    const listing = known.listings.get(id) as LockedListing
    listing.version++
    return { ...listing, before: before.get(id) as Leader }
  })
}

/** The row that `findListing` would read after the commit, without reading it. */
function seenBy({ listingId, bidderId }: BidRequest, { listings, standings, watches, now }: BatchData): ListingRow | null {
  const listing = listings.get(listingId)
  if (!listing) return null
  const who = pairOf(listingId, bidderId)
  const mine = standings.get(who)
  // a bidder acts as a bidder, whoever they are
  const own = { is_watched: watches.has(who), viewer_role: null }
  if (!mine) return { ...listing, now, ...own, my_bid_id: null, my_bid_price: null, my_max: null, my_bid_status: null }
  const isLeading = listing.leader_id === bidderId
  return {
    ...listing,
    now,
    ...own,
    my_bid_id: mine.latest_bid_id,
    my_bid_price: isLeading ? listing.current_price : mine.max_amount,
    my_max: mine.max_amount,
    my_bid_status: listing.status === 'Active' ? (isLeading ? 'Active' : 'Outbid') : mine.status,
  }
}

const hashOf = ({ listingId, amount, max }: BidRequest) => hash('sha256', `${listingId} ${amount} ${max}`)

/** RULES §3.8: the same key and body answer the same, also within one batch; the same key with another body is refused. */
function answerOnce(request: BidRequest, state: BatchState): BidAnswer {
  const { answers, bidders } = state.known
  const who = pairOf(request.bidderId, request.key)
  const bodyHash = hashOf(request)
  const earlier = answers.get(who)
  if (earlier) {
    return earlier.hash === bodyHash
      ? earlier.answer
      : refused('idempotency_key_reused', 'This key was used for another bid. Send a new one.')
  }
  const answer = judge(request, state)
  answers.set(who, { hash: bodyHash, answer })
  if (bidders.has(request.bidderId)) state.fresh.push({ request, hash: bodyHash, answer })
  return answer
}

const refused = (code: string, says: string, minimum_bid?: number): BidAnswer => ({
  outcome: 'refused',
  code,
  says,
  ...(minimum_bid !== undefined && { minimum_bid }),
})

/** Decides one bid. An accepted bid changes the locked listing and the standings in memory, so that the next bid of the batch meets it. */
function judge(request: BidRequest, { known, rules, written }: BatchState): BidAnswer {
  const { now, standings } = known
  const listing = known.listings.get(request.listingId)
  const bidder = known.bidders.get(request.bidderId)
  const who = pairOf(request.listingId, request.bidderId)
  const mine = standings.get(who)
  if (!listing || !bidder || !isVisible(listing.status, { isOwner: listing.seller_id === bidder.id, isBidder: mine !== undefined }))
    return refused('not_found', notFound().message)
  const why = whyNotBid(bidder, {
    sellerId: listing.seller_id,
    sellerPaymentAccountId: listing.seller_account,
    isScrap: materials[listing.material_id].is_scrap,
    isBlockedBySeller: known.blocks.has(pairOf(listing.seller_id, bidder.id)),
  })
  if (why) return refused(why.code, why.says)
  if (listing.expires_at && now >= listing.expires_at) return refused('listing_ended', bidRefusals.listing_ended)
  if (listing.status !== 'Active' || !listing.expires_at || !listing.first_expires_at)
    return refused('listing_not_active', bidRefusals.listing_not_active)

  const sale = {
    basis: listing.price_basis,
    weight_kg: listing.weight_kg,
    vatRate: rules.vatRate,
    isVatRegistered: listing.vat_registered,
  }
  if (owed(request.max, sale).total > LARGEST_PAYMENT) return refused('bid_too_high', bidRefusals.bid_too_high)

  const auction = {
    startPrice: listing.start_price,
    reservationPrice: listing.reservation_price,
    steps: rules.steps[listing.price_basis],
    standing: standingOf(listing),
  }
  const decision = decideBid(auction, { bidder: bidder.id, amount: request.amount, max: request.max })
  if (!decision.accepted) {
    const says =
      decision.code === 'bid_too_low' ? bidRefusals.bid_too_low(decision.minimum) : bidRefusals.maximum_not_raised(decision.minimum - 1)
    return refused(decision.code, says, minimumBid(auction))
  }

  const { standing } = decision
  const end = listing.expires_at
  const seq = ++listing.bid_count
  const id = randomUUID()
  listing.current_price = standing.price
  listing.leader_id = standing.leader
  listing.leader_max = standing.leaderMax
  if (standing.leader === bidder.id) listing.leading_bid_id = id
  if (listing.extends_on_late_bids && (decision.hasNewPrice || decision.hasNewLeader)) {
    listing.expires_at = endAfterBid({ now, expires_at: end, first_expires_at: listing.first_expires_at }, rules.lateBids)
  }
  const bidder_number = mine?.bidder_number ?? ++listing.bidders
  const max_amount = Math.max(request.max, mine?.max_amount ?? 0)
  standings.set(who, { bidder_number, latest_bid_id: id, max_amount, status: 'Active' })
  written.push({ request, id, seq, price: standing.price, leader: standing.leader, at: known.nowText, end, bidder_number })
  const bid = {
    id,
    seq,
    amount: request.amount,
    max_amount: request.max,
    price_after: standing.price,
    is_leading: standing.leader === bidder.id,
    accepted_at: known.nowText,
  }
  return { outcome: 'accepted', bid }
}

const standingOf = ({ current_price, leader_id, leader_max }: LockedListing) =>
  current_price === null || leader_id === null || leader_max === null
    ? null
    : { price: current_price, leader: leader_id, leaderMax: leader_max }
