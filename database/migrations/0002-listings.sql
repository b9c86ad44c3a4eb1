-- Listings and bids.

-- What bidding needs to know of a user. Their own screens set these later; the demo data does until then.
alter table users
  add column payment_account_id text,
  add column holding_fee_card text,
  add column licence_status text not null default 'none' check (licence_status in ('none', 'pending', 'approved', 'rejected')),
  add column licence_expires_at timestamptz,
  add column bidding_blocked_reason text;

create table seller_blocks (
  seller_id uuid not null references users,
  blocked_id uuid not null references users,
  created_at timestamptz not null default app_now(),
  primary key (seller_id, blocked_id)
);

create table listings (
  id uuid primary key default gen_random_uuid(),
  seller_id uuid not null references users,
  status text not null default 'Processing' check (status in (
    'RemovedByAdmin', 'HasAdminIssue', 'Processing', 'Active', 'PendingPayment', 'Expired', 'DocumentsRequired', 'MissedPayment',
    'NextBidder', 'ReturnStarted', 'ReviewAmend', 'ExchangeComplete', 'Dispatched', 'PendingCollection', 'ReturnDispatched',
    'ApprovedAmendsDocumentsRequired', 'InvoiceRequired', 'ReturnComplete', 'ReceivedGoods', 'ReservationPrice', 'AwaitingKYC',
    'AwaitingVatNumberVerification', 'BalanceDue', 'DeferredPayment')),
  title text not null,
  description text not null,
  material_id text not null,
  grade text,
  ewc_code text,
  condition text,
  price_basis text not null check (price_basis in ('lot', 'tonne')),
  weight_kg integer check (weight_kg > 0),
  start_price integer not null check (start_price > 0),
  reservation_price integer check (reservation_price > 0),
  transfer_method_id smallint not null check (transfer_method_id in (1, 2)),
  accepts_deferred_payment boolean not null default false,
  extends_on_late_bids boolean not null default true,
  seller_invoices boolean not null default false,
  address_line_1 text not null,
  address_line_2 text,
  town text not null,
  county text,
  post_code text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- How many days it runs once it is Active; or the end that the seller chose.
  duration_days smallint check (duration_days between 1 and 14),
  chosen_end timestamptz,
  starts_at timestamptz,
  expires_at timestamptz,
  -- The end before any late bid moved it.
  first_expires_at timestamptz,
  -- Where the bidding stands. The closer reads the winner from here, under the row's lock, never from an older snapshot.
  current_price integer,
  leader_id uuid references users,
  leader_max integer,
  leading_bid_id uuid,
  bid_count integer not null default 0,
  can_offer_at_reservation_price boolean not null default false,
  kyc_status text check (kyc_status in ('pending', 'verified', 'failed')),
  created_at timestamptz not null default app_now(),
  check (price_basis = 'lot' or weight_kg is not null),
  check (duration_days is not null or chosen_end is not null),
  check ((current_price is null) = (bid_count = 0)),
  check ((current_price is null) = (leader_id is null) and (current_price is null) = (leader_max is null) and (current_price is null) = (leading_bid_id is null)),
  check (current_price <= leader_max),
  check (leader_id <> seller_id),
  check (not can_offer_at_reservation_price or bid_count > 0),
  check (status = 'Processing' or expires_at is not null or status in ('HasAdminIssue', 'RemovedByAdmin', 'Expired')),
  check (expires_at >= first_expires_at),
  -- The server's clock counts in milliseconds: an end between two of them could not be compared exactly.
  check (expires_at = date_trunc('milliseconds', expires_at))
);

create index listings_seller on listings (seller_id, created_at desc);
-- What is due: a partial index keeps the closer's look as quick with a million ended listings as with none.
create index listings_due on listings (expires_at, id) where status = 'Active';

-- Append-only. `price_after` is the price that the bid led to; a bid that only raised its own maximum may leave it.
create table bids (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings,
  seq integer not null check (seq > 0),
  bidder_id uuid not null references users,
  amount integer not null check (amount between 1 and 1000000000),
  max_amount integer not null check (max_amount between 1 and 1000000000),
  price_after integer not null check (price_after between 1 and 1000000000),
  leader_after uuid not null references users,
  accepted_at timestamptz not null,
  -- The end in force when it was accepted.
  expires_at timestamptz not null,
  unique (listing_id, seq),
  check (amount <= max_amount),
  check (accepted_at < expires_at)
);

create index bids_bidder on bids (bidder_id, accepted_at desc);

-- What changes about a bid lives beside the bids: one standing per bidder and listing.
create table bid_standings (
  listing_id uuid not null references listings,
  bidder_id uuid not null references users,
  -- 'Bidder 3' to everybody but the seller.
  bidder_number integer not null check (bidder_number > 0),
  latest_bid_id uuid not null references bids,
  max_amount integer not null,
  status text not null check (status in ('Active', 'Outbid', 'Won', 'Closed', 'MissedPayment', 'OfferedToYou', 'OfferedToYouAtReservationPrice')),
  primary key (listing_id, bidder_id),
  unique (listing_id, bidder_number)
);

create unique index one_leader on bid_standings (listing_id) where status = 'Active';
create unique index one_winner on bid_standings (listing_id) where status = 'Won';
create index bid_standings_bidder on bid_standings (bidder_id, status);

-- Who a listing went to, and for how much: frozen when it was decided. At most one is open at a time.
create table awards (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings,
  bidder_id uuid not null references users,
  bid_id uuid not null references bids,
  price integer not null check (price > 0),
  status text not null check (status in ('offered', 'pending_payment', 'paid', 'missed', 'declined', 'cancelled')),
  created_at timestamptz not null default app_now(),
  -- nobody is offered the same listing twice
  unique (listing_id, bidder_id)
);

create unique index one_open_award on awards (listing_id) where status in ('offered', 'pending_payment', 'paid');

-- Append-only: every step of a listing's life, by whom and why.
create table listing_events (
  id bigint generated always as identity primary key,
  listing_id uuid not null references listings,
  seq integer not null check (seq > 0),
  step text not null,
  from_status text,
  to_status text not null,
  actor text not null check (actor in ('seller', 'buyer', 'admin', 'time', 'provider', 'vat_check')),
  actor_id uuid references users,
  details jsonb not null default '{}',
  at timestamptz not null default app_now(),
  unique (listing_id, seq)
);

-- The answer to a call that may come twice: same key and body, same answer; same key and another body is refused.
create table idempotent_answers (
  user_id uuid not null references users on delete cascade,
  key text not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default app_now(),
  primary key (user_id, key)
);

create index idempotent_answers_age on idempotent_answers (created_at);

grant select, insert, update on listings, bid_standings, awards to yardbid_app;
grant select, insert, delete on seller_blocks to yardbid_app;
grant select, insert, update, delete on idempotent_answers to yardbid_app;
grant select, insert on bids, listing_events to yardbid_app;
