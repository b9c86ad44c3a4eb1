-- What must always hold: each query finds what breaks it, so each must find nothing, at any instant. `npm run check` runs them.

-- 1: bids: every amount is whole pence, from 1p to £10,000,000.00, and no maximum is below its bid
select id
from bids
where amount not between 1 and 1000000000
   or max_amount not between amount and 1000000000
   or price_after not between 1 and 1000000000;

-- 2: bids: prices begin at the start price and never fall; one that stays was left by a leader who raised the own maximum
select b.id
from bids b
join listings l on l.id = b.listing_id
left join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
where (b.seq = 1 and b.price_after < l.start_price)
   or b.price_after < before.price_after
   or (b.price_after = before.price_after and b.bidder_id <> before.leader_after);

-- 2: bids: a price that rises does so by the step in force at least
with steps as (
  select basis, key, coalesce(
           (select value from settings s where s.key = defaults.key),
           rows
         ) as rows,
         -- which steps were in force before the setting last changed is not known, nor which of a bid that was under way at that moment
         greatest(
           (select updated_at from settings s where s.key = defaults.key),
           (select max(at) from audit_entries where act in ('set-setting', 'reset-setting') and details ->> 'key' = defaults.key)
         ) + interval '1 minute' as since
  from (values
    ('lot', 'bid_steps_lot', jsonb '[{"below": 5000, "step": 100}, {"below": 25000, "step": 500}, {"below": 100000, "step": 1000}, {"below": 250000, "step": 2500}, {"below": 500000, "step": 5000}, {"below": 1000000, "step": 10000}, {"below": 2500000, "step": 25000}, {"below": 10000000, "step": 50000}, {"below": null, "step": 100000}]'),
    ('tonne', 'bid_steps_tonne', jsonb '[{"below": 10000, "step": 100}, {"below": 50000, "step": 200}, {"below": 200000, "step": 500}, {"below": 500000, "step": 1000}, {"below": null, "step": 2500}]')
  ) as defaults (basis, key, rows)
)
select b.id
from bids b
join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
join listings l on l.id = b.listing_id
join steps on steps.basis = l.price_basis
where b.price_after > before.price_after
  and (steps.since is null or b.accepted_at > steps.since)
  and b.price_after < before.price_after + (
    select step
    from jsonb_to_recordset(steps.rows) as row (below bigint, step integer)
    where below is null or before.price_after < below
    order by below nulls last
    limit 1
  );

-- 3: bids: the sequence of a listing is 1..n without a gap
select listing_id, count(*), min(seq), max(seq)
from bids
group by listing_id
having count(*) <> max(seq) or min(seq) <> 1 or count(distinct seq) <> count(*);

-- 4: listings: price, leader and count are those of the bids
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

-- 4: listings: the leader's maximum is the highest of all, no price passes it, and the leading bid is the leader's last
select l.id
from listings l
where l.bid_count > 0
  and (l.leader_max < l.current_price
    or l.leader_max <> (select max(max_amount) from bids where listing_id = l.id)
    or l.leader_max is distinct from (select max(max_amount) from bids where listing_id = l.id and bidder_id = l.leader_id)
    or l.leading_bid_id is distinct from (select id from bids where listing_id = l.id and bidder_id = l.leader_id order by seq desc limit 1));

-- 5: bids: none came before the start, or at or after the end that was in force
select b.id
from bids b
join listings l on l.id = b.listing_id
where b.accepted_at >= b.expires_at
   or b.accepted_at < date_trunc('milliseconds', l.starts_at);

-- 6: bids: each came no earlier than the one before it
select b.id
from bids b
join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
where b.accepted_at < before.accepted_at;

-- 7: bids: nobody bids on an own listing, nor from the seller's payment account
select b.id
from bids b
join listings l on l.id = b.listing_id
join users seller on seller.id = l.seller_id
join users bidder on bidder.id = b.bidder_id
where b.bidder_id = l.seller_id
   or bidder.payment_account_id = seller.payment_account_id;

-- 8: answers: one that says accepted has its bid, with that bidder and amount
select a.user_id, a.key
from idempotent_answers a
left join bids b on b.id = (a.answer -> 'bid' ->> 'id')::uuid
where a.answer ->> 'outcome' = 'accepted'
  and (b.bidder_id is distinct from a.user_id or b.amount <> (a.answer -> 'bid' ->> 'amount')::integer);

-- 9: answers: no bid was made by two keys
select answer -> 'bid' ->> 'id' as bid_id
from idempotent_answers
where answer ->> 'outcome' = 'accepted'
group by 1
having count(*) > 1;

-- 13: bids: the end never moves earlier after a bid
select b.id
from bids b
join bids before on before.listing_id = b.listing_id and before.seq = b.seq - 1
where b.expires_at < before.expires_at;

-- 14: standings: every bidder has one, and in an Active listing exactly the leader's is Active
select l.id
from listings l
where (select count(*) from bid_standings where listing_id = l.id) <> (select count(distinct bidder_id) from bids where listing_id = l.id)
   or (l.status = 'Active' and exists (
     select from bid_standings s
     where s.listing_id = l.id
       and s.status <> case when s.bidder_id = l.leader_id then 'Active' else 'Outbid' end
   ));

-- 15: standings: each points to its bidder's own last bid and highest maximum, and numbers begin at 1
select s.listing_id, s.bidder_id
from bid_standings s
where s.latest_bid_id is distinct from (
        select id from bids b where b.listing_id = s.listing_id and b.bidder_id = s.bidder_id order by seq desc limit 1
      )
   or s.max_amount is distinct from (select max(max_amount) from bids b where b.listing_id = s.listing_id and b.bidder_id = s.bidder_id)
   or s.bidder_number > (select count(*) from bid_standings o where o.listing_id = s.listing_id);

-- 16: listings: what has ended is not Active for long
select id
from listings
where status = 'Active' and expires_at < app_now() - interval '5 seconds';

-- 17: awards: at most one of a listing is open
select listing_id
from awards
where status in ('offered', 'pending_payment', 'paid')
group by listing_id
having count(*) > 1;

-- 18: listings: one that ended sold met its reservation price, and its first award went to the bid that led, at its price
select l.id
from listings l
join lateral (select price_after, leader_after from bids where listing_id = l.id order by seq desc limit 1) last on true
left join lateral (select * from awards where listing_id = l.id order by created_at, id limit 1) award on true
where exists (select from listing_events e where e.listing_id = l.id and e.step = 'end_sold' and e.to_status <> 'HasAdminIssue')
  and (last.price_after < l.reservation_price
    or award.price is distinct from last.price_after
    or award.bidder_id is distinct from last.leader_after
    or award.bid_id is distinct from (select id from bids where listing_id = l.id and bidder_id = last.leader_after order by seq desc limit 1));

-- 18: listings: one that did not end sold has an award only by an offer to its highest bidder, and may be so offered only below reservation
select l.id
from listings l
where (exists (select from awards a where a.listing_id = l.id)
    and not exists (select from listing_events e where e.listing_id = l.id and e.step in ('end_sold', 'offer_to_highest_bidder')))
   or (l.can_offer_at_reservation_price
    and not exists (select from listing_events e where e.listing_id = l.id and e.step = 'end_below_reservation'));

-- 18: listings: how one ended is what its bids say
select l.id
from listings l
join listing_events e on e.listing_id = l.id
where (e.step = 'end_without_bid' and l.bid_count > 0)
   or (e.step in ('end_below_reservation', 'end_sold') and l.bid_count = 0)
   or (e.step = 'end_below_reservation' and l.current_price >= coalesce(l.reservation_price, 0));

-- 20: listings: each ends once, but for one that was restored, or whose leader was suspended
select listing_id
from listing_events
group by listing_id
having count(*) filter (where step in ('end_without_bid', 'end_below_reservation', 'end_sold') and to_status <> 'HasAdminIssue') > 1 + count(*) filter (where step = 'restore');

-- 21: listings: the events lead to the status, each from where the one before led, without a gap
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

-- 21: events: one actor each: a seller's step is by the listing's seller, what nobody does has nobody's name
select e.id
from listing_events e
join listings l on l.id = e.listing_id
where (e.actor = 'seller' and e.actor_id is distinct from l.seller_id)
   or (e.actor in ('time', 'provider', 'vat_check') and e.actor_id is not null);

-- 22: events: what is final is left by an admin alone, and an Expired one otherwise only by an offer to its highest bidder
select id
from listing_events
where to_status <> from_status
  and actor <> 'admin'
  and (from_status in ('RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')
    or (from_status = 'Expired' and step not in ('offer_to_highest_bidder', 'dispute_opened')));

-- 23: bids: none was accepted while the listing was anything but Active
select b.id
from bids b
join lateral (
  select to_status
  from listing_events e
  where e.listing_id = b.listing_id and date_trunc('milliseconds', e.at) < b.accepted_at
  order by seq desc
  limit 1
) latest on true
where latest.to_status <> 'Active'
  -- bids are timed in whole milliseconds: what made it Active within the same one came before
  and not exists (
    select from listing_events e
    where e.listing_id = b.listing_id and date_trunc('milliseconds', e.at) = b.accepted_at and e.to_status = 'Active'
  );

-- 50: uploads: what a listing shows is ready and its seller's own
select m.storage_object_id
from listing_media m
join listings l on l.id = m.listing_id
join storage_objects o on o.id = m.storage_object_id
where o.state <> 'ready'
   or o.owner_id <> l.seller_id;

-- 50: uploads: a listing has ten photos and videos at most, and ten documents
select m.listing_id
from listing_media m
join storage_objects o on o.id = m.storage_object_id
group by m.listing_id
having count(*) filter (where o.upload_kind = 1) > 10 or count(*) filter (where o.upload_kind <> 1) > 10;

-- 50: uploads: the state is one of the five, and what is ready has a key and a hash
select id
from storage_objects
where state not in ('reserved', 'uploaded', 'ready', 'rejected', 'deleted')
   or (state = 'ready' and (object_key is null or sha256 is null));

-- 50: uploads: a merchant document is ready, its user's own and of that kind
select d.id
from merchant_documents d
join storage_objects o on o.id = d.storage_object_id
where o.state <> 'ready'
   or o.owner_id <> d.user_id
   or o.storage_object_kind <> 7;

-- 50: uploads: a user has five merchant documents at most
select user_id
from merchant_documents
where storage_object_id is not null
group by user_id
having count(*) > 5;

-- 10: licences: whoever has documents has the licence that follows from them, and nobody a longer one
select u.id
from users u
join lateral (
  select count(*) filter (where kind = 'scrap_dealer_licence') as licences,
         count(*) filter (where kind = 'scrap_dealer_licence' and status = 'approved') as approved,
         max(coalesce(expires_at, 'infinity')) filter (where kind = 'scrap_dealer_licence' and status = 'approved') as ends
  from merchant_documents
  where user_id = u.id
  having count(*) > 0
) d on true
where (u.licence_status = 'approved' and (d.approved = 0 or coalesce(u.licence_expires_at, 'infinity') <> d.ends))
   or (u.licence_status <> 'approved' and d.ends > app_now())
   or (u.licence_status = 'none') <> (d.licences = 0);

-- 60: search: what is found is the Active listings, with their price, count and end, and nothing else
select coalesce(f.listing_id, r.listing_id)
from listing_search f
full join listing_search_rows r using (listing_id)
where f.listing_id is null
   or r.listing_id is null
   or f.spot <-> r.spot > 0.001
   or (f.expires_at, f.created_at, f.price, f.bid_count, f.transfer_method_id, f.material_id, f.words)
     is distinct from (r.expires_at, r.created_at, r.price, r.bid_count, r.transfer_method_id, r.material_id, r.words);

-- 60: search: the orders of price and of bids hold what is found
select coalesce(f.listing_id, p.listing_id)
from listing_search f
full join listing_prices p using (listing_id)
where f.listing_id is null
   or p.listing_id is null
   or p.spot <-> f.spot > 0.001
   or (p.expires_at, p.created_at, p.price, p.bid_count, p.transfer_method_id, p.material_id)
     is distinct from (f.expires_at, f.created_at, f.price, f.bid_count, f.transfer_method_id, f.material_id);

-- 25: ledger: every transaction has two lines or more, in pounds, and they sum to zero
select t.id, count(e.line), sum(e.amount)
from ledger_transactions t
left join ledger_entries e on e.transaction_id = t.id
group by t.id
having count(e.line) < 2 or coalesce(sum(e.amount), 0) <> 0 or bool_or(e.currency <> 'GBP');

-- 26: ledger: all accounts together sum to zero
select sum(amount)
from ledger_entries
having sum(amount) <> 0;

-- 25: ledger: what reverses a transaction is its exact opposite
select t.id
from ledger_transactions t
where t.reverses is not null
  and exists (
    select account
    from ledger_entries e
    where e.transaction_id in (t.id, t.reverses)
    group by account
    having sum(amount) <> 0
  );

-- 28: refunds: a user is given back no more than was taken, by subscription, goods or holding fee
select e.user_id, e.account
from ledger_entries e
join ledger_transactions t on t.id = e.transaction_id
where e.account in ('subscription_income', 'buyer_funds', 'holding_fees')
  and t.kind in ('charge', 'payment', 'refund', 'payment_refund', 'refund_failure', 'payment_failure_refund')
group by e.user_id, e.account
having sum(e.amount) > 0;

-- 27: sales: no more is refunded, charged back and paid to the seller than was received
select a.id
from awards a
join sale_totals m on m.award_id = a.id
where m.refunded + m.charged_back + m.paid_out > m.captured
  -- a payout that a chargeback has overtaken is being taken back
  and not exists (select from jobs j where j.kind = 'reverse_payout');

-- 27: sales: one that is over holds nothing back
select a.id
from awards a
join listings l on l.id = a.listing_id
join sale_totals m on m.award_id = a.id
where a.status = 'paid'
  and l.status in ('ExchangeComplete', 'ReturnComplete')
  and m.captured - m.refunded - m.charged_back - m.paid_out <> 0
  and m.refunded + m.charged_back + m.paid_out <= m.captured
  and not exists (select from sale_disputes d where d.award_id = a.id)
  and not exists (select from refunds r where r.award_id = a.id and r.status in ('failed', 'cancelled', 'waived'))
  and not exists (select from settings where key = 'seller_fee')
  and not exists (select from seller_payouts p where p.award_id = a.id and (p.reversed > 0 or p.receivable > 0 or p.recovered > 0));

-- 28: refunds: of no charge more is given back than it took
select r.charge_id
from refunds r
where r.charge_id is not null and r.status in ('wanted', 'pending', 'waiting', 'succeeded')
group by r.charge_id
having sum(r.amount) > coalesce(
  (select p.received from sale_payments p where p.charge_id = r.charge_id),
  (select f.amount from holding_fees f where f.charge_id = r.charge_id and f.status = 'captured'),
  0
);

-- 29: payments: an award is paid once for each purpose, and its holding fee is captured once
select award_id
from (
  select award_id, purpose from sale_payments where status = 'succeeded'
  union all
  select award_id, 'holding_fee' from holding_fees where status = 'captured'
) as captures
group by award_id, purpose
having count(*) > 1;

-- 30: cash: a buyer's cash balance is never below zero, and is the buyer's until a sale uses it
select e.user_id
from ledger_entries e
join ledger_transactions t on t.id = e.transaction_id
where t.kind like 'cash\_%'
group by e.user_id
having sum(e.amount) filter (where e.account = 'provider_cash') < 0
  or sum(e.amount) filter (where e.account in ('provider_cash', 'unallocated')) <> 0;

-- 32: sales: goods move only when they were paid for, but for what an admin has settled with a part of it
select l.id
from listings l
join awards a on a.listing_id = l.id and a.status = 'paid'
join sale_totals m on m.award_id = a.id
where l.status in ('DocumentsRequired', 'PendingCollection', 'Dispatched', 'ReceivedGoods', 'ReviewAmend', 'ReturnStarted', 'ReturnDispatched', 'ExchangeComplete')
  and a.deferred_days is null
  and m.captured < a.total
  and not exists (select from listing_events e where e.listing_id = l.id and e.step = 'resolve' and e.details ->> 'resolution' = 'refund_amount');

-- 35: payouts: a seller is paid for goods when the sale is complete, and not before
select p.id
from seller_payouts p
join awards a on a.id = p.award_id
where p.purpose <> 'holding_fee'
  and not exists (select from listing_events e where e.listing_id = a.listing_id and e.to_status = 'ExchangeComplete');

-- 38: calls: what a sale moved at the provider was asked for by a call that was written down for its row
select made.id
from (
  select id, intent_id as provider_id, 'payment:' || id as key from sale_payments
  union all
  select id, intent_id, 'holding-fee:' || id from holding_fees
  union all
  select id, provider_id, 'refund:' || id from refunds
  union all
  select id, transfer_id, 'payout:' || id from seller_payouts
) as made
where made.provider_id is not null
  and not exists (
    select from provider_calls c
    where (c.idempotency_key = made.key or c.idempotency_key like made.key || ':%')
      and c.status <> 'refused'
      and coalesce(c.provider_id, made.provider_id) = made.provider_id
  );

-- 38: calls: every call was written down before it was made, and what is done says what it made
select id
from provider_calls
where called_at < created_at
   or (status = 'done' and (called_at is null or provider_id is null))
   or settled_at < called_at;

-- 38: calls: everything that exists once per user at the provider was made by a call of ours, under its key
select u.id
from users u
where u.provider_customer_id is not null
  and not exists (
    select from provider_calls c
    where c.user_id = u.id and c.kind = 'create_customer' and c.status = 'done' and c.provider_id = u.provider_customer_id
      and c.idempotency_key like 'customer:' || u.id || '%'
  );

-- 38: calls: a subscription at the provider was made by the call that its row was written with
select s.id
from subscriptions s
where s.provider_id is not null
  and not exists (
    select from provider_calls c
    where c.idempotency_key = 'subscription:' || s.id and c.status <> 'refused' and coalesce(c.provider_id, s.provider_id) = s.provider_id
      and c.created_at <= s.created_at + interval '1 minute'
  );

-- 38: calls: what is unsure has somebody who sees to it
select c.id
from provider_calls c
where c.status = 'pending'
  and c.created_at < app_now() - interval '1 hour'
  and not exists (select from jobs j where j.kind in ('settle_provider_call', 'reconcile_provider'));

-- 39: subscriptions: at most one is live per user
select user_id
from subscriptions
where ended_at is null
group by user_id
having count(*) > 1;

-- 39: subscriptions: each has the price that was set when it was made
select s.id
from subscriptions s
join provider_calls c on c.idempotency_key = 'subscription:' || s.id
where not exists (
    select from provider_calls p
    where p.kind = 'create_price' and p.status = 'done'
      and p.provider_id = c.params -> 'items' -> 0 ->> 'price'
      and (p.params ->> 'unit_amount')::integer = s.price
      and p.params -> 'recurring' ->> 'interval' = 'month'
  )
  and c.params <> '{}';

-- 40: trials: none was had twice, and none without being noted
select u.id
from users u
where (select count(*) from subscriptions s where s.user_id = u.id and s.confirmed_at is not null and s.trial_ends_at is not null) > 1
   or (u.trial_used_at is null and exists (
     select from subscriptions s where s.user_id = u.id and s.trial_ends_at is not null and (s.ended_at is null or s.confirmed_at is not null)
   ));

-- 42: coupons: none was redeemed more often than its limit
select c.id
from coupons c
join coupon_redemptions r on r.coupon_id = c.id
group by c.id
having count(*) > c.max_redemptions;

-- 42: coupons: a redemption and its subscription name each other, and were written together
select s.id
from subscriptions s
full join coupon_redemptions r on r.subscription_id = s.id
where (s.coupon_id is not null and r.coupon_id is null and (s.ended_at is null or s.confirmed_at is not null))
   or (r.coupon_id is not null and (r.coupon_id is distinct from s.coupon_id or r.user_id <> s.user_id or r.at > s.created_at + interval '1 minute'));

-- 43: tiers: who has or had a subscription is full exactly while it counts
select u.id
from users u
join lateral (
  select *
  from subscriptions s
  where s.user_id = u.id and (s.ended_at is null or s.confirmed_at is not null)
  order by s.ended_at nulls first, s.created_at desc
  limit 1
) s on true
where (u.tier = 'full') <> (s.ended_at is null and not s.awaits_confirmation
    and (s.status in ('trialing', 'active') or (s.status in ('past_due', 'unpaid') and s.grace_ends_at > app_now())))
  -- the job that ends a grace has a minute
  and not (u.tier = 'full' and s.ended_at is null and coalesce(s.grace_ends_at between app_now() - interval '1 minute' and app_now(), false));

-- 58: accounts: nobody who is deleted leads a listing, or has a sale or a purchase that is not finished
select u.id
from users u
where u.deleted_at is not null
  and (exists (
      select from awards a
      join listings l on l.id = a.listing_id
      where a.bidder_id = u.id and a.status in ('offered', 'pending_payment', 'paid')
        and l.status not in ('Expired', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')
    ) or exists (
      select from listings l
      where l.seller_id = u.id and l.status not in ('Expired', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')
    ) or exists (
      select from bid_standings s
      join listings l on l.id = s.listing_id
      where s.bidder_id = u.id and s.status = 'Active' and l.status = 'Active'
    ));

-- 36: papers: the numbers of a series are 1..n without a gap, each given once, and n is where the series stands
select s.key
from paper_series s
left join papers p on p.series = s.key
group by s.key
having count(p.nth) <> s.last_nth or count(distinct p.nth) <> s.last_nth or coalesce(max(p.nth), 0) <> s.last_nth;

-- 36: papers: no two have the same number printed on them by one seller, and each stands in a series of its own seller
select p.id
from papers p
join listings l on l.id = p.listing_id
where not p.is_draft
  and (split_part(p.series, ':', 2) <> l.seller_id::text
    or p.number is distinct from p.data ->> 'number'
    or exists (
      select from papers o
      join listings k on k.id = o.listing_id
      where o.id <> p.id and o.number = p.number and k.seller_id = l.seller_id
    ));

-- 36: papers: what is printed adds up to the total, and an invoice is over what the award came to before its amends
select p.id
from papers p
join awards a on a.id = p.award_id
where p.total is not null
  and (p.total is distinct from (p.data -> 'totals' -> -1 ->> 'amount')::integer
    or p.total is distinct from (
      select sum((line ->> 'amount')::integer) from jsonb_array_elements(p.data -> 'lines') as line
    ) + case when jsonb_array_length(p.data -> 'totals') = 3 then (p.data -> 'totals' -> 1 ->> 'amount')::integer else 0 end
    or (p.kind = 'invoice'
      and p.total <> a.total - coalesce((select sum(difference) from amends m where m.award_id = a.id and m.status = 'approved'), 0)));

-- 36: papers: that of an amend is over its difference, and what is credited as a whole is what the award came to, once
select p.id
from papers p
join awards a on a.id = p.award_id
left join amends m on m.id::text = p.reference and m.award_id = a.id
where (m.id is not null and (p.total <> abs(m.difference) or (p.kind = 'credit_note') <> (m.difference < 0)))
   or ((p.kind = 'return_credit_note' or (p.kind = 'credit_note' and p.reference = 'cancelled')) and p.total <> a.total)
   or (p.kind = 'return_credit_note' and exists (select from papers o where o.award_id = p.award_id and o.reference = 'cancelled'));

-- 36: papers: none was changed after it was issued, and each belongs to its award's listing
select p.id
from papers p
join awards a on a.id = p.award_id
where p.seal <> paper_seal(p)
   or p.listing_id <> a.listing_id;

-- 36: records: a handover of scrap has both its records, of the two parties, each kept three years at least
select r.award_id
from scrap_records r
join awards a on a.id = r.award_id
join listings l on l.id = a.listing_id
group by r.award_id, r.cause, a.bidder_id, l.seller_id
having count(*) <> 2
   or bool_or(r.user_id <> case when (r.kind = 'receipt') = (r.cause = 'sale') then a.bidder_id else l.seller_id end)
   or bool_or(r.kept_until < (r.at + interval '3 years')::date - 1);

-- 44: chat: a thread is between its listing's owner and one other, and nobody else wrote or read in it
select t.id
from chat_threads t
join listings l on l.id = t.listing_id
where t.owner_id <> l.seller_id
   or t.owner_id = t.other_id
   or exists (select from chat_messages m where m.thread_id = t.id and m.sender_id not in (t.owner_id, t.other_id))
   or exists (select from chat_reads r where r.thread_id = t.id and (r.user_id not in (t.owner_id, t.other_id) or r.up_to_seq > t.message_count));

-- 45: chat: the messages of a thread are numbered 1..n without a gap, and n is where the thread stands
select t.id
from chat_threads t
left join chat_messages m on m.thread_id = t.id
group by t.id, t.message_count
having count(m.seq) <> t.message_count or count(distinct m.seq) <> t.message_count or coalesce(max(m.seq), 0) <> t.message_count;

-- 45: chat: each message came no earlier than the one before it, and no key of a sender is there twice
select m.id
from chat_messages m
left join chat_messages before on before.thread_id = m.thread_id and before.seq = m.seq - 1
where m.created_at < before.created_at
   or exists (
     select from chat_messages o
     where o.thread_id = m.thread_id and o.sender_id = m.sender_id and o.client_key = m.client_key and o.seq <> m.seq
   );

-- 45: chat: what is unread on either side is what the other sent after the read mark
select t.id
from chat_threads t
cross join lateral (
  select count(*) filter (where m.sender_id = t.other_id and m.seq > t.owner_read_seq) as by_owner,
         count(*) filter (where m.sender_id = t.owner_id and m.seq > t.other_read_seq) as by_other
  from chat_messages m
  where m.thread_id = t.id
) as unread
where (t.owner_unread, t.other_unread) is distinct from (unread.by_owner::int, unread.by_other::int);

-- 50: chat: photos of messages are ready uploads of their sender's own, which no listing shows
select a.storage_object_id
from chat_attachments a
join chat_messages m on m.id = a.message_id
join storage_objects o on o.id = a.storage_object_id
where o.state <> 'ready'
   or o.owner_id <> m.sender_id
   or o.upload_kind <> 1
   or exists (select from listing_media l where l.storage_object_id = a.storage_object_id);

-- 47: notifications: each has a reader who is there, and within a minute its channels were decided, unless a job still has to
select n.id
from notifications n
left join users u on u.id = n.user_id and u.erased_at is null
where u.id is null
   or (n.delivered_at is null and n.happened_at < app_now() - interval '60 seconds'
     and not exists (select from jobs where kind = 'deliver_notifications'));

-- 47: notifications: none is sent before it is due, nor by a channel that was not decided for it
select id
from notifications
where emailed_at < email_due_at
   or pushed_at < push_due_at
   or ((email_due_at is not null or push_due_at is not null) and delivered_at is null);

-- 48: notifications: places and moments of a reader's list rise together, and no two share one
select id
from (
  select id, created_at, lag(created_at) over (partition by user_id order by seq) as before
  from notifications
  where seq is not null
) as placed
where before >= created_at;

-- 46: market: an enquiry is agreed exactly if it has a deal, of the one offer that was accepted; no offer is open once it is closed
select e.id
from enquiries e
left join enquiry_deals d on d.enquiry_id = e.id
left join enquiry_offers o on o.id = d.offer_id
left join enquiry_conversations c on c.id = d.conversation_id
where (e.status = 'agreed') <> (d.enquiry_id is not null)
   or (d.enquiry_id is not null
     and (o.status <> 'accepted' or o.conversation_id <> c.id or o.price <> d.price
       or c.enquiry_id <> e.id or c.merchant_id <> d.holder_id or c.poster_id <> e.poster_id))
   or (select count(*) from enquiry_offers a where a.enquiry_id = e.id and a.status = 'accepted') <> (d.enquiry_id is not null)::integer
   or (e.status <> 'open' and exists (select from enquiry_offers a where a.enquiry_id = e.id and a.status = 'open'));

-- 45: market: the messages of a conversation are numbered 1..n without a gap, n is where it stands, and each is of one of the two sides
select c.id
from enquiry_conversations c
left join enquiry_messages m on m.conversation_id = c.id
group by c.id
having count(m.seq) <> c.last_seq or coalesce(max(m.seq), 0) <> c.last_seq or bool_or(m.sender_id not in (c.poster_id, c.merchant_id));

-- 46: preferences: what matching looks up is what was saved with alerts, once for each material
select p.user_id
from material_preferences p
left join preference_cells f on f.user_id = p.user_id
group by p.user_id
having count(f.cell) <> case when p.alerts then cardinality(p.material_ids) else 0 end
   or bool_or(f.user_id is not null
     and (f.material_id <> all(p.material_ids) or f.radius_miles is distinct from p.radius_miles
       or f.min_weight_kg is distinct from p.min_weight_kg or f.spot[0] is distinct from p.spot[0]));

-- 28: audit: each entry holds the hash of the one before it, and its own is that of what it says
select id
from (
  select e.id, e.at, e.hash, e.previous_hash, audit_hash(e) as computed, lag(e.id) over by_id as id_before, lag(e.hash) over by_id as hash_before,
         lag(e.at) over by_id as at_before
  from audit_entries e
  window by_id as (order by e.id)
) as chain
where hash <> computed
   or id <> coalesce(id_before, 0) + 1
   or previous_hash <> coalesce(hash_before, decode(repeat('00', 32), 'hex'))
   or at < at_before;

-- 28: audit: the newest entry is the one that the head of the chain names
select h.entry_id
from audit_head h
left join audit_entries e on e.id = h.entry_id
where (h.entry_id > 0 and e.hash is distinct from h.hash)
   or h.entry_id <> coalesce((select max(id) from audit_entries), 0)
union all
select 0
where not exists (select from audit_head);

-- 28: second factors: whoever has one has its secret, and no more than ten recovery codes, which nobody else has
select u.id
from users u
left join second_factors f on f.user_id = u.id
left join recovery_codes c on c.user_id = u.id
where u.second_factor_since is not null or f.user_id is not null
group by u.id, f.user_id
having (u.second_factor_since is not null and f.user_id is null)
   or count(c.code_hash) > 10
   or (u.second_factor_since is null and count(c.code_hash) > 0);
