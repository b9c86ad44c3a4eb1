-- What bids over HTTP are measured against: one call per transaction that decides one bid inside the database, with the
-- checks and the rows of server/features/bids. It bids one step above whatever leads, so no call is refused.
create function yardstick_bid(which uuid, who uuid, once text) returns jsonb
language plpgsql as $$
declare
  listing listings;
  seller users;
  bidder users;
  steps jsonb;
  at timestamptz;
  offered integer;
  price integer;
  bid_id uuid := gen_random_uuid();
  answered jsonb;
begin
  select * into listing from listings where id = which for update;
  at := date_trunc('milliseconds', app_now());
  select answer into answered from idempotent_answers where user_id = who and key = once;
  if found then return answered; end if;

  select * into seller from users where id = listing.seller_id;
  select * into bidder from users where id = who;
  if listing.status <> 'Active' or at >= listing.expires_at
     or bidder.id = seller.id or bidder.suspended_at is not null
     or not bidder.payment_account_completed or bidder.onboarding_stage is not null
     or bidder.payment_account_id = seller.payment_account_id or bidder.bidding_blocked_reason is not null
     or bidder.holding_fee_card is null or bidder.licence_status <> 'approved' or bidder.licence_expires_at <= at
     or exists (select from user_blocks where blocker_id = seller.id and blocked_id = who)
  then
    raise 'the yardstick''s bids are all fit to be accepted';
  end if;

  select value into steps from settings where key = 'bid_steps_lot';
  offered := coalesce(listing.leader_max + (steps -> 0 ->> 'step')::integer, listing.start_price);
  price := case when listing.leader_id = who then listing.current_price else offered end;

  insert into bids (id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
  values (bid_id, which, listing.bid_count + 1, who, offered, offered, price, who, at, listing.expires_at);

  if listing.leader_id <> who then
    update bid_standings set status = 'Outbid' where listing_id = which and bidder_id = listing.leader_id;
  end if;
  update bid_standings set status = 'Active', latest_bid_id = bid_id, max_amount = offered where listing_id = which and bidder_id = who;
  if not found then
    insert into bid_standings (listing_id, bidder_id, bidder_number, latest_bid_id, max_amount, status)
    select which, who, coalesce(max(bidder_number), 0) + 1, bid_id, offered, 'Active' from bid_standings where listing_id = which;
  end if;

  update listings
  set current_price = price, leader_id = who, leader_max = offered, leading_bid_id = bid_id, bid_count = listing.bid_count + 1,
      version = listing.version + 1
  where id = which;

  -- what live pages are told, as server/live/outbox.ts writes it: whoever led, whoever leads and the listing
  perform pg_advisory_xact_lock(7261004);
  insert into live_events (listing_id, user_id, kind, payload)
  select which, s.bidder_id, 'standing', json_build_object(
    'version', listing.version + 1, 'title', listing.title, 'price_basis', listing.price_basis, 'start_price', listing.start_price,
    'current_price', price, 'bid_status', s.status, 'max_price', s.max_amount)
  from bid_standings s
  where s.listing_id = which and s.bidder_id in (listing.leader_id, who);
  insert into live_events (listing_id, user_id, kind, payload)
  select which, null, 'listing', json_build_object(
    'version', listing.version + 1, 'status', listing.status, 'price_basis', listing.price_basis, 'start_price', listing.start_price,
    'current_price', price, 'bid_count', listing.bid_count + 1, 'reservation_met', price >= coalesce(listing.reservation_price, 0),
    'starts_at', listing.starts_at, 'expires_at', listing.expires_at, 'bids', json_build_array(json_build_object(
      'id', bid_id, 'seq', listing.bid_count + 1, 'number', s.bidder_number, 'price', price, 'at', at)))
  from bid_standings s
  where s.listing_id = which and s.bidder_id = who;

  answered := jsonb_build_object('outcome', 'accepted', 'bid', jsonb_build_object(
    'id', bid_id, 'seq', listing.bid_count + 1, 'amount', offered, 'max_amount', offered,
    'price_after', price, 'is_leading', true, 'accepted_at', at));
  insert into idempotent_answers (user_id, key, body_hash, answer)
  values (who, once, sha256(convert_to(which || ' ' || offered, 'utf8')), answered);
  return answered;
end $$;
