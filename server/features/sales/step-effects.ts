import type { Effect } from '#domain/sales/listing-machine-step.ts'

// What steps do to bids and awards, for many listings at once: $1 is their ids. The rows are locked by who takes the step.

export type EffectOnRows = keyof typeof effectsOnRows

const open = `('offered', 'pending_payment', 'paid')`
// frozen with the price: what the buyer owes must not change with the seller's profile
const chargesVat = `(select not not_vat_registered from users where id = seller_id)`

export const effectsOnRows = {
  // to the millisecond, which is what the server's clock can compare
  set_end: [
    `update listings l
     set starts_at = began, expires_at = ends, first_expires_at = ends
     from (
       select id, began, date_trunc('milliseconds', coalesce(chosen_end, began + make_interval(days => duration_days))) as ends
       from listings, (select app_now() as began) as clock
       where id = any($1::uuid[])
     ) as t
     where t.id = l.id`,
  ],
  // from the locked row, never from a snapshot that is older than the lock
  freeze_winner: [
    `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat)
     select id, leader_id, leading_bid_id, current_price, 'pending_payment', ${chargesVat}
     from listings
     where id = any($1::uuid[])`,
  ],
  win_bid: [
    `update bid_standings s
     set status = 'Won'
     from awards a
     where a.listing_id = any($1::uuid[]) and a.status in ${open} and s.listing_id = a.listing_id and s.bidder_id = a.bidder_id`,
    `update awards
     set status = 'pending_payment'
     where listing_id = any($1::uuid[]) and status = 'offered'`,
  ],
  offer_at_reservation_price: [
    `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat)
     select id, leader_id, leading_bid_id, current_price, 'offered', ${chargesVat}
     from listings
     where id = any($1::uuid[])`,
    `update bid_standings s
     set status = 'OfferedToYouAtReservationPrice'
     from listings l
     where l.id = any($1::uuid[]) and s.listing_id = l.id and s.bidder_id = l.leader_id`,
  ],
  // who was offered it has declined or let it lapse; whom it had gone to loses it
  close_buyers_bid: [
    `update bid_standings s
     set status = 'Closed'
     from awards a
     where a.listing_id = any($1::uuid[]) and a.status in ${open} and s.listing_id = a.listing_id and s.bidder_id = a.bidder_id`,
    `update awards a
     set status = case when last.step = 'withdraw_offer' or a.status <> 'offered' then 'cancelled' else 'declined' end
     from (
       select distinct on (listing_id) listing_id, step
       from listing_events
       where listing_id = any($1::uuid[])
       order by listing_id, seq desc
     ) as last
     where a.listing_id = last.listing_id and a.status in ${open}`,
  ],
  close_bids: [
    `update bid_standings
     set status = 'Closed'
     where listing_id = any($1::uuid[]) and status in ('Active', 'Outbid', 'Won', 'OfferedToYou', 'OfferedToYouAtReservationPrice')`,
    `update awards
     set status = 'cancelled'
     where listing_id = any($1::uuid[]) and status in ${open}`,
  ],
  close_losing_bids: [
    `update bid_standings
     set status = 'Closed'
     where listing_id = any($1::uuid[]) and status = 'Outbid'`,
  ],
  miss_bid: [
    `update bid_standings s
     set status = 'MissedPayment'
     from awards a
     where a.listing_id = any($1::uuid[]) and a.status in ${open} and s.listing_id = a.listing_id and s.bidder_id = a.bidder_id`,
    `update awards
     set status = 'missed'
     where listing_id = any($1::uuid[]) and status in ${open}`,
  ],
  // what the sale waited for: the register's word, or that there is no number
  keep_vat_reference: [
    `update awards a
     set charges_vat = not seller.not_vat_registered,
         vat_check_id = (
           select id
           from vat_checks
           where user_id = seller.id and vat_number = seller.vat_number and outcome = 'valid'
           order by checked_at desc
           limit 1
         )
     from listings l
     join users seller on seller.id = l.seller_id
     where l.id = any($1::uuid[]) and a.listing_id = l.id and a.status in ${open}`,
  ],
  // an award of its own, so that a second miss is one of its own too
  reinstate_bid: [
    `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat, vat_check_id, reinstated)
     select distinct on (listing_id) listing_id, bidder_id, bid_id, price, 'pending_payment', charges_vat, vat_check_id, true
     from awards
     where listing_id = any($1::uuid[]) and status = 'missed'
     order by listing_id, created_at desc`,
    `update bid_standings s
     set status = 'Won'
     from awards a
     where a.listing_id = any($1::uuid[]) and a.status = 'pending_payment' and s.listing_id = a.listing_id and s.bidder_id = a.bidder_id`,
  ],
} satisfies Partial<Record<Effect, readonly string[]>>

/** $1 the listings, $2 the bidder of each: an offer is at the bidder's own highest bid. */
export const offerToNextBidder = [
  `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat)
   select s.listing_id, s.bidder_id, s.latest_bid_id, s.max_amount, 'offered', ${chargesVat}
   from unnest($1::uuid[], $2::uuid[]) as offer (listing_id, bidder_id)
   join bid_standings s using (listing_id, bidder_id)
   join listings l on l.id = s.listing_id`,
  `update bid_standings s
   set status = 'OfferedToYou'
   from unnest($1::uuid[], $2::uuid[]) as offer (listing_id, bidder_id)
   where s.listing_id = offer.listing_id and s.bidder_id = offer.bidder_id`,
]
