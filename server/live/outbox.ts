import type pg from 'pg'
import type { BidStatus } from '#contract/values/bid-status.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { isHidden } from '#domain/listings/visibility.ts'
import type { Effect } from '#domain/sales/listing-machine-step.ts'
import type { ReadRows } from '#server/db/db.ts'
import { bidFacts, bidFactsJson, type BidFacts } from '#server/live/bid-facts.ts'

// What happened, as rows in the transaction of what happened. Facts alone: present.ts says what each reader is told of them.

/** Other processes are woken on this channel: by a step's own transaction, and after the commit of bids. */
export const LIVE_CHANNEL = 'live'

/** The facts that a row of live_events carries, under the name of its kind. */
export type LiveFacts = {
  listing: {
    version: number
    status: ListingStatus
    price_basis: 'lot' | 'tonne'
    start_price: number
    current_price: number | null
    bid_count: number
    reservation_met: boolean
    starts_at: string | null
    expires_at: string | null
    bids: BidFacts[] | null
  }
  gone: { version: number; status: ListingStatus }
  standing: {
    version: number
    title: string
    price_basis: 'lot' | 'tonne'
    start_price: number
    current_price: number | null
    bid_status: BidStatus
    max_price: number
  }
  sale: { version: number; title: string }
  enquiry: { status: 'open' | 'agreed' | 'ended'; title: string }
  conversation: { conversation_id: string; seq: number }
  chat: { thread_id: string; with_id: string; seq: number }
  notifications: { unread: number; since: string | null }
}

type Step = { listing_id: string; from: ListingStatus; to: ListingStatus; effects: readonly Effect[] }

/** The last of a bid's transaction before its commit: the lock that it takes makes other writers wait. The listings' versions are written. */
export async function tellOfBids(client: pg.ClientBase, bids: readonly { id: string }[]): Promise<void> {
  await Promise.all([
    client.query({ name: 'take turn', text: takeTurn }),
    client.query({ name: 'tell of bids', text: factsOfBids, values: [bids.map(({ id }) => id)] }),
  ])
}

/** For steps that are written, and for a listing that was edited: their listings, those whose bid they change, and the parties of the sale. */
export async function tellOfSteps(ask: ReadRows, steps: readonly Step[]): Promise<void> {
  await ask(takeTurn, [])
  const told = steps.map(({ listing_id, from, to, effects }) => ({
    listing_id,
    was_public: !isHidden(from),
    is_public: !isHidden(to),
    bid_statuses: [...new Set(effects.flatMap((effect) => bidsChangedBy[effect] ?? []))],
  }))
  await ask(factsOfSteps, [JSON.stringify(told)], 'tell of steps')
}

type ChatNews = { thread_id: string; listing_id: string; seq: number; parties: readonly [one: string, other: string] }

/** A new message, or a new read mark, for both sides of a thread. The last of its transaction before its commit; wake the hub after it. */
export async function tellOfChat(ask: ReadRows, { thread_id, listing_id, seq, parties: [one, other] }: ChatNews): Promise<void> {
  await ask(
    `with turn as materialized (
       ${takeTurn}
     )
     insert into live_events (listing_id, user_id, kind, payload)
     select $1, user_id, 'chat', json_build_object('thread_id', $2::uuid, 'with_id', with_id, 'seq', $3::int)
     from turn, (values ($4::uuid, $5::uuid), ($5, $4)) as parties (user_id, with_id)`,
    [listing_id, thread_id, seq, one, other],
  )
}

type EnquiryNews = { enquiry_id: string; status: 'open' | 'agreed' | 'ended'; title: string }

/** For those who look at the market. The last of its transaction, like those above. */
export async function tellOfEnquiry(ask: ReadRows, { enquiry_id, status, title }: EnquiryNews): Promise<void> {
  await ask(takeTurn, [])
  await ask(
    `with woken as (select pg_notify('${LIVE_CHANNEL}', ''))
     insert into live_events (listing_id, kind, payload)
     select $1, 'enquiry', json_build_object('status', $2::text, 'title', $3::text) from woken`,
    [enquiry_id, status, title],
  )
}

type ConversationNews = { conversation_id: string; enquiry_id: string; seq: number; parties: readonly [one: string, other: string] }

/** For both sides of conversations about enquiries. The last of its transaction, like those above. */
export async function tellOfConversations(ask: ReadRows, told: readonly ConversationNews[]): Promise<void> {
  await ask(takeTurn, [])
  await ask(
    `with woken as (select pg_notify('${LIVE_CHANNEL}', ''))
     insert into live_events (listing_id, user_id, kind, payload)
     select t.enquiry_id, party.user_id::uuid, 'conversation', json_build_object('conversation_id', t.conversation_id, 'seq', t.seq)
     from woken, jsonb_to_recordset($1::jsonb) as t (conversation_id uuid, enquiry_id uuid, seq integer, parties jsonb),
          jsonb_array_elements_text(t.parties) as party (user_id)`,
    [JSON.stringify(told)],
  )
}

/** The last of its transaction, like those above: how many notifications each reader has unread, and since when new ones are there. */
export async function tellOfNotifications(ask: ReadRows, told: readonly { user_id: string; since: Date | null }[]): Promise<void> {
  if (told.length === 0) return
  await ask(takeTurn, [])
  await ask(factsOfNotifications, [JSON.stringify(told)])
}

const bidsChangedBy: Partial<Record<Effect, BidStatus>> = {
  win_bid: 'Won',
  reinstate_bid: 'Won',
  offer_at_reservation_price: 'OfferedToYouAtReservationPrice',
  offer_to_next_bidder: 'OfferedToYou',
  miss_bid: 'MissedPayment',
  close_bids: 'Closed',
  close_losing_bids: 'Closed',
  close_buyers_bid: 'Closed',
}

// held until the commit, so that the ids are in the order of the commits and whoever reads `id > last` misses none
const takeTurn = 'select pg_advisory_xact_lock(7261004)'

const listingFacts = (bids: string) => `json_build_object(
  'version', t.version, 'status', t.status, 'price_basis', t.price_basis, 'start_price', t.start_price, 'current_price', t.current_price,
  'bid_count', t.bid_count, 'reservation_met', t.current_price is not null and t.current_price >= coalesce(t.reservation_price, 0),
  'starts_at', t.starts_at, 'expires_at', t.expires_at, 'bids', ${bids})`

const standingFacts = `json_build_object(
  'version', t.version, 'title', t.title, 'price_basis', t.price_basis, 'start_price', t.start_price, 'current_price', t.current_price,
  'bid_status', s.status, 'max_price', s.max_amount)`

// the standings first: a page that shows one's own bid learns that it was outbid no later than the price that did it
const factsOfBids = `
  with fresh as (
    select f.*, row_number() over (partition by listing_id order by seq desc) as from_last
    from (${bidFacts('b.id = any($1::uuid[])')}) as f
  ), by_listing as (
    select listing_id, min(seq) as first_seq,
           json_agg(${bidFactsJson} order by seq) filter (where from_last <= 50) as bids
    from fresh
    group by listing_id
  ), t as (
    select l.id, l.version, l.title, l.status, l.price_basis, l.start_price, l.current_price, l.reservation_price, l.bid_count,
           l.starts_at, l.expires_at, n.bids
    from by_listing n
    join listings l on l.id = n.listing_id
  ), concerned as (
    select listing_id, bidder_id from fresh
    union
    select b.listing_id, b.leader_after
    from by_listing n
    join bids b on b.listing_id = n.listing_id and b.seq = n.first_seq - 1
  ), facts as (
    select 1 as nth, t.id as listing_id, s.bidder_id as user_id, 'standing' as kind, ${standingFacts} as payload
    from concerned c
    join t on t.id = c.listing_id
    join bid_standings s on s.listing_id = c.listing_id and s.bidder_id = c.bidder_id
    union all
    select 2, t.id, null, 'listing', ${listingFacts('t.bids')}
    from t
  )
  insert into live_events (listing_id, user_id, kind, payload)
  select listing_id, user_id, kind, payload
  from facts
  order by listing_id, nth`

const factsOfSteps = `
  with step as (
    select *
    from jsonb_to_recordset($1::jsonb) as s (listing_id uuid, was_public boolean, is_public boolean, bid_statuses jsonb)
  ), t as (
    update listings l
    set version = l.version + 1
    from step
    where l.id = step.listing_id
    returning l.id, l.seller_id, l.version, l.title, l.status, l.price_basis, l.start_price, l.current_price, l.reservation_price, l.bid_count,
              l.starts_at, l.expires_at, step.was_public, step.is_public, step.bid_statuses
  ), parties as (
    select id, seller_id as user_id from t
    union
    select t.id, a.bidder_id from t join awards a on a.listing_id = t.id
  ), facts as (
    select 1 as nth, t.id as listing_id, s.bidder_id as user_id, 'standing' as kind, ${standingFacts} as payload
    from t
    join bid_standings s on s.listing_id = t.id and t.bid_statuses ? s.status
    union all
    select 2, t.id, p.user_id, 'sale', json_build_object('version', t.version, 'title', t.title)
    from t
    join parties p on p.id = t.id
    union all
    select 3, t.id, null, 'listing', ${listingFacts('null')}
    from t
    where is_public
    union all
    select 3, t.id, null, 'gone', json_build_object('version', t.version, 'status', t.status)
    from t
    where was_public and not is_public
  ), told as (
    select pg_notify('${LIVE_CHANNEL}', '')
  )
  insert into live_events (listing_id, user_id, kind, payload)
  select listing_id, user_id, kind, payload
  from facts, told
  order by listing_id, nth`

const factsOfNotifications = `
  with woken as (
    select pg_notify('${LIVE_CHANNEL}', '')
  )
  insert into live_events (user_id, kind, payload)
  select t.user_id, 'notifications', json_build_object('unread', count_unread(t.user_id), 'since', t.since)
  from jsonb_to_recordset($1::jsonb) as t (user_id uuid, since timestamptz), woken`
