import { createHash } from 'node:crypto'
import type pg from 'pg'
import { materials, type MaterialId } from '#contract/materials.ts'
import { decideBid, endAfterBid, minimumBid, type BidStep, type Standing } from '#domain/bidding.ts'
import { whyNotBid, type Bidder } from '#domain/may-bid.ts'
import { writeAnswers, writeBids, type WrittenBid } from '#server/features/bids/batch-write.ts'
import { LARGEST_PAYMENT, owed, type PriceBasis } from '#domain/money.ts'
import { tellOfBids } from '#server/live/outbox.ts'

// One batch of bids, decided in the order in which they came. The rows are locked first, then the clock is read, then
// everything else: what is read after the lock is what the bids are judged by.

export type BidRequest = { listingId: string; bidderId: string; amount: number; max: number; key: string }

export type BidRules = {
  steps: Record<PriceBasis, readonly BidStep[]>
  vatRate: number
  lateBids: { windowMs: number; extensionMs: number; capMs: number }
}

export type BidAnswer =
  | {
      outcome: 'accepted'
      bid: { id: string; seq: number; amount: number; max_amount: number; price_after: number; is_leading: boolean; accepted_at: string }
    }
  | { outcome: 'refused'; code: string; says: string; minimum_bid?: number }

export type ListingRow = {
  id: string
  seller_id: string
  status: string
  material_id: string
  price_basis: PriceBasis
  weight_kg: number | null
  start_price: number
  reservation_price: number | null
  extends_on_late_bids: boolean
  expires_at: Date | null
  first_expires_at: Date | null
  current_price: number | null
  leader_id: string | null
  leader_max: number | null
  bid_count: number
  seller_account: string | null
  seller_charges_vat: boolean
}

type Known = { bidders: Map<string, Bidder>; blocks: Set<string>; answers: Map<string, { hash: string; answer: BidAnswer }> }

/** In one transaction; a client on which this throws is not fit for another. */
export async function decideBatch(client: pg.ClientBase, requests: readonly BidRequest[], rules: BidRules): Promise<BidAnswer[]> {
  await client.query('begin')
  const listings = await lockListings(client, requests)
  const { rows } = await client.query<{ now: Date }>('select app_now() as now')
  const now = rows[0]?.now ?? new Date(NaN)
  const known = await readKnown(client, requests, listings)
  const written: WrittenBid[] = []
  const answers = requests.map((request) => answerOnce(request, known, () => judge(request, { listings, known, now, rules, written })))
  if (written.length > 0) await writeBids(client, written, touchedBy(written, listings))
  await writeAnswers(
    client,
    requests.map((request, nth) => ({ request, hash: hashOf(request), answer: answers[nth] as BidAnswer })),
  )
  if (written.length > 0)
    await tellOfBids(
      client,
      written.map(({ id }) => id),
    )
  await client.query('commit')
  return answers
}

const touchedBy = (written: readonly WrittenBid[], listings: Map<string, ListingRow>) =>
  [...new Set(written.map(({ request }) => request.listingId))].flatMap((id) => listings.get(id) ?? [])

async function lockListings(client: pg.ClientBase, requests: readonly BidRequest[]): Promise<Map<string, ListingRow>> {
  const ids = [...new Set(requests.map(({ listingId }) => listingId))]
  // in id order, so that two batches of two processes wait for one another instead of deadlocking
  const { rows } = await client.query<ListingRow>(
    `select l.id, l.seller_id, l.status, l.material_id, l.price_basis, l.weight_kg, l.start_price, l.reservation_price, l.extends_on_late_bids,
            l.expires_at, l.first_expires_at, l.current_price, l.leader_id, l.leader_max, l.bid_count,
            s.payment_account_id as seller_account, not s.not_vat_registered as seller_charges_vat
     from listings l
     join users s on s.id = l.seller_id
     where l.id = any($1::uuid[])
     order by l.id
     for update of l`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function readKnown(client: pg.ClientBase, requests: readonly BidRequest[], listings: Map<string, ListingRow>): Promise<Known> {
  const bidderIds = [...new Set(requests.map(({ bidderId }) => bidderId))]
  const sellerIds = [...new Set([...listings.values()].map(({ seller_id }) => seller_id))]
  const people = await client.query<Bidder>(
    `select id, suspended_at is not null as "isSuspended", payment_account_completed and onboarding_stage is null as "isOnboarded",
            payment_account_completed as "isPaymentAccountCompleted", payment_account_id as "paymentAccountId", holding_fee_card is not null as "hasHoldingFeeCard",
            licence_status = 'approved' and (licence_expires_at is null or licence_expires_at > app_now()) as "hasLicence", bidding_blocked_reason as "blockedReason"
     from users
     where id = any($1::uuid[])`,
    [bidderIds],
  )
  const blocks = await client.query<{ pair: string }>(
    `select seller_id || ' ' || blocked_id as pair from seller_blocks where seller_id = any($1::uuid[]) and blocked_id = any($2::uuid[])`,
    [sellerIds, bidderIds],
  )
  const answers = await client.query<{ who: string; hash: string; answer: BidAnswer }>(
    `select user_id || ' ' || key as who, encode(body_hash, 'hex') as hash, answer
     from idempotent_answers
     join unnest($1::uuid[], $2::text[]) as asked (bidder_id, bidder_key) on user_id = bidder_id and key = bidder_key`,
    [requests.map(({ bidderId }) => bidderId), requests.map(({ key }) => key)],
  )
  return {
    bidders: new Map(people.rows.map((bidder) => [bidder.id, bidder])),
    blocks: new Set(blocks.rows.map(({ pair }) => pair)),
    answers: new Map(answers.rows.map(({ who, hash, answer }) => [who, { hash, answer }])),
  }
}

const hashOf = ({ listingId, amount, max }: BidRequest) => createHash('sha256').update(`${listingId} ${amount} ${max}`).digest('hex')

/** RULES §3.8: the same key and body answer the same, also within one batch; the same key with another body is refused. */
function answerOnce(request: BidRequest, { answers }: Known, judgeIt: () => BidAnswer): BidAnswer {
  const who = `${request.bidderId} ${request.key}`
  const hash = hashOf(request)
  const earlier = answers.get(who)
  if (earlier && earlier.hash !== hash) return refused('idempotency_key_reused', 'This key was used for another bid. Send a new one.')
  const answer = earlier?.answer ?? judgeIt()
  answers.set(who, { hash, answer })
  return answer
}

type Court = { listings: Map<string, ListingRow>; known: Known; now: Date; rules: BidRules; written: WrittenBid[] }

const refused = (code: string, says: string, minimum_bid?: number): BidAnswer => ({
  outcome: 'refused',
  code,
  says,
  ...(minimum_bid !== undefined && { minimum_bid }),
})

function judge(request: BidRequest, { listings, known, now, rules, written }: Court): BidAnswer {
  const listing = listings.get(request.listingId)
  const bidder = known.bidders.get(request.bidderId)
  if (!listing || !bidder) return refused('not_found', 'There is nothing here, or it is not yours to see.')
  const why = whyNotBid(bidder, {
    sellerId: listing.seller_id,
    sellerPaymentAccountId: listing.seller_account,
    isScrap: materials[listing.material_id as MaterialId].is_scrap,
    isBlockedBySeller: known.blocks.has(`${listing.seller_id} ${bidder.id}`),
  })
  if (why) return refused(why.code, why.says)
  if (listing.expires_at && now >= listing.expires_at) return refused('listing_ended', 'This listing has ended. Your bid came too late.')
  if (listing.status !== 'Active' || !listing.expires_at || !listing.first_expires_at)
    return refused('listing_not_active', 'This listing takes no bids at the moment.')

  const sale = {
    basis: listing.price_basis,
    weight_kg: listing.weight_kg,
    vatRate: rules.vatRate,
    isVatRegistered: listing.seller_charges_vat,
  }
  if (owed(request.max, sale).total > LARGEST_PAYMENT)
    return refused('bid_too_high', 'With VAT this comes to more than £999,999.99, the most that can be paid. Bid less.')

  const auction = {
    startPrice: listing.start_price,
    reservationPrice: listing.reservation_price,
    steps: rules.steps[listing.price_basis],
    standing: standingOf(listing),
  }
  const decision = decideBid(auction, { bidder: bidder.id, amount: request.amount, max: request.max })
  if (!decision.accepted) {
    const says =
      decision.code === 'bid_too_low'
        ? `Bid at least ${inPounds(decision.minimum)}.`
        : `You lead already with a maximum of ${inPounds(decision.minimum - 1)}. Bid more to raise it.`
    return refused(decision.code, says, minimumBid(auction))
  }

  const end = listing.expires_at
  const seq = ++listing.bid_count
  listing.current_price = decision.standing.price
  listing.leader_id = decision.standing.leader
  listing.leader_max = decision.standing.leaderMax
  if (listing.extends_on_late_bids && (decision.hasNewPrice || decision.hasNewLeader)) {
    listing.expires_at = endAfterBid({ now, expires_at: end, first_expires_at: listing.first_expires_at }, rules.lateBids)
  }
  const id = crypto.randomUUID()
  written.push({ request, id, seq, price: decision.standing.price, leader: decision.standing.leader, at: now, end })
  const bid = {
    id,
    seq,
    amount: request.amount,
    max_amount: request.max,
    price_after: decision.standing.price,
    is_leading: decision.standing.leader === bidder.id,
    accepted_at: now.toISOString(),
  }
  return { outcome: 'accepted', bid }
}

const standingOf = ({ current_price, leader_id, leader_max }: ListingRow): Standing | null =>
  current_price === null || leader_id === null || leader_max === null
    ? null
    : { price: current_price, leader: leader_id, leaderMax: leader_max }

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
const inPounds = (pence: number) => pounds.format(pence / 100)
