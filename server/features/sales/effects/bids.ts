import { bySql, stepRows, type Executor } from '#server/features/sales/effects/executor.ts'

// What steps do to bids and awards, for many listings at once. The rows are locked by who takes the step.

const open = `('offered', 'pending_payment', 'paid')`
const listings = `(select listing_id from ${stepRows})`
const openAwards = `a.listing_id in ${listings} and a.status in ${open}`

const standingsOf = (status: string) =>
  `update bid_standings s
   set status = '${status}'
   from awards a
   where ${openAwards} and s.listing_id = a.listing_id and s.bidder_id = a.bidder_id`

const makeAward = `
  insert into awards (id, listing_id, bidder_id, bid_id, price, status, charges_vat, vat_check_id, vat_rate, goods, vat, total, reinstated)
  select made.id, step.listing_id, made.bidder_id, made.bid_id, made.price, made.status, made.charges_vat, made.vat_check_id, made.vat_rate, made.goods,
         made.vat, made.total, made.reinstated
  from ${stepRows}, jsonb_to_record(step.award) as made (id uuid, bidder_id uuid, bid_id uuid, price int, status text, charges_vat boolean,
    vat_check_id uuid, vat_rate numeric, goods int, vat int, total int, reinstated boolean)`

export const bidEffects = {
  // to the millisecond, which is what the server's clock can compare
  set_end: bySql(
    `update listings l
     set starts_at = began, expires_at = ends, first_expires_at = ends
     from (
       select id, began, date_trunc('milliseconds', coalesce(chosen_end, began + make_interval(days => duration_days))) as ends
       from listings, (select app_now() as began) as clock
       where id in ${listings}
     ) as t
     where t.id = l.id`,
  ),
  freeze_winner: bySql(makeAward),
  win_bid: bySql(
    standingsOf('Won'),
    `update awards a
     set status = 'pending_payment'
     where a.listing_id in ${listings} and a.status = 'offered'`,
  ),
  offer_at_reservation_price: bySql(makeAward, standingsOf('OfferedToYouAtReservationPrice')),
  offer_to_next_bidder: bySql(makeAward, standingsOf('OfferedToYou')),
  // who was offered it has declined or let it lapse; whom it had gone to loses it
  close_buyers_bid: bySql(
    standingsOf('Closed'),
    `update awards a
     set status = case when step.step = 'withdraw_offer' or a.status <> 'offered' then 'cancelled' else 'declined' end
     from ${stepRows}
     where a.listing_id = step.listing_id and a.status in ${open}`,
  ),
  close_bids: bySql(
    `update bid_standings
     set status = 'Closed'
     where listing_id in ${listings} and status in ('Active', 'Outbid', 'Won', 'OfferedToYou', 'OfferedToYouAtReservationPrice')`,
    `update awards a
     set status = 'cancelled'
     where ${openAwards}`,
  ),
  close_losing_bids: bySql(
    `update bid_standings
     set status = 'Closed'
     where listing_id in ${listings} and status = 'Outbid'`,
  ),
  miss_bid: bySql(
    standingsOf('MissedPayment'),
    `update awards a
     set status = 'missed'
     where ${openAwards}`,
  ),
  // an award of its own, so that a second miss is one of its own too
  reinstate_bid: bySql(makeAward, standingsOf('Won')),
  note_agreement: bySql(
    `update awards a
     set cancel_agreed_by = step.actor
     from ${stepRows}
     where a.id = step.award_id`,
  ),
  // what the sale waited for: the register's word, or that there is no number
  keep_vat_reference: bySql(
    `update awards a
     set charges_vat = not seller.not_vat_registered,
         vat = case when seller.not_vat_registered then 0 else step.vat_if_charged end,
         total = a.goods + case when seller.not_vat_registered then 0 else step.vat_if_charged end,
         vat_check_id = (
           select id
           from vat_checks
           where user_id = seller.id and vat_number = seller.vat_number and outcome = 'valid'
           order by checked_at desc
           limit 1
         )
     from ${stepRows}
     join users seller on seller.id = step.seller_id
     where a.id = step.award_id`,
  ),
  // bids there are none: RULES §4 lets only listings without any be restored
  start_over: bySql(
    `update listings l
     set starts_at = null, expires_at = null, first_expires_at = null, former_status = null, clock_left_ms = null
     where l.id in ${listings}`,
  ),
} satisfies Record<string, Executor>
