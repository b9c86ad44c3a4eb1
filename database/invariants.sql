-- What must always hold: each query finds what breaks it, so each must find nothing, at any instant. `npm run check` runs them.

-- bids: the sequence of a listing is 1..n without a gap
select listing_id, count(*), max(seq)
from bids
group by listing_id
having count(*) <> max(seq);

-- bids: prices rise by the step in force, or stay where a leader raised the own maximum
select b.id
from bids b
join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
where b.price_after < before.price_after
   or (b.price_after = before.price_after and b.bidder_id <> before.leader_after);

-- bids: no bid came at or after the end in force, or before the one before it
select b.id
from bids b
left join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
where b.accepted_at >= b.expires_at
   or b.accepted_at < before.accepted_at
   or b.expires_at < before.expires_at;

-- bids: nobody bids on an own listing, nor from the seller's payment account
select b.id
from bids b
join listings l on l.id = b.listing_id
join users seller on seller.id = l.seller_id
join users bidder on bidder.id = b.bidder_id
where b.bidder_id = l.seller_id
   or bidder.payment_account_id = seller.payment_account_id;

-- listings: price, leader and count are those of the bids
select l.id
from listings l
left join lateral (
  select price_after, leader_after
  from bids
  where listing_id = l.id
  order by seq desc
  limit 1
) last on true
where l.current_price is distinct from last.price_after
   or l.leader_id is distinct from last.leader_after
   or l.bid_count <> (select count(*) from bids where listing_id = l.id)
   or l.current_price <> (select max(price_after) from bids where listing_id = l.id);

-- listings: the leader's maximum is the highest of all, and its bid is the leading one
select l.id
from listings l
join bids led on led.id = l.leading_bid_id
where led.bidder_id <> l.leader_id
   or l.leader_max <> (select max(max_amount) from bids where listing_id = l.id)
   or l.leader_max <> (select max(max_amount) from bids where listing_id = l.id and bidder_id = l.leader_id);

-- standings: every bidder has one, and in an Active listing exactly the leader's is Active
select l.id
from listings l
where (select count(*) from bid_standings where listing_id = l.id) <> (select count(distinct bidder_id) from bids where listing_id = l.id)
   or (l.status = 'Active' and exists (
     select from bid_standings s
     where s.listing_id = l.id
       and s.status <> case when s.bidder_id = l.leader_id then 'Active' else 'Outbid' end
   ));

-- listings: what has ended is not Active for long
select id
from listings
where status = 'Active' and expires_at < app_now() - interval '5 seconds';

-- listings: one that ended sold was awarded to its leader at its price; only a sale or an offer makes an award
select l.id
from listings l
where exists (select from listing_events e where e.listing_id = l.id and e.step in ('end_sold', 'offer_to_highest_bidder'))
    <> exists (
      select from awards a
      where a.listing_id = l.id and a.bidder_id = l.leader_id and a.price = l.current_price and a.bid_id = l.leading_bid_id
    )
   or (not exists (select from listing_events e where e.listing_id = l.id and e.step in ('end_sold', 'offer_to_highest_bidder'))
    and exists (select from awards a where a.listing_id = l.id));

-- listings: the events lead to the status, each from where the one before led, without a gap
select l.id
from listings l
join lateral (select * from listing_events where listing_id = l.id order by seq desc limit 1) last on true
where last.to_status <> l.status
   or last.seq <> (select count(*) from listing_events where listing_id = l.id)
   or exists (
     select from listing_events e
     join listing_events before on before.listing_id = e.listing_id and before.seq = e.seq - 1
     where e.listing_id = l.id and e.from_status is distinct from before.to_status
   );
