-- What auctions need beside the bids: changes that arrive live, watched listings, saved searches.

alter table listings
  -- One more with every change that others may see: the sequence of what arrives live.
  add column version integer not null default 0,
  -- Asked for restricted materials (catalytic converters), and shown to the parties alone.
  add column serial_numbers text,
  add column source text;

-- What the VAT check said of the seller's number; the check itself sets it.
alter table users
  add column vat_status text not null default 'unchecked' check (vat_status in ('unchecked', 'valid', 'failed'));

create index listings_completed on listings (seller_id) where status = 'ExchangeComplete';

-- The outbox of what happened, written in the transaction of what happened. Writers hold one advisory lock from the first of
-- these rows until their commit, so the ids are in the order of the commits and `id > last` misses nothing.
create table live_events (
  id bigint generated always as identity primary key,
  listing_id uuid references listings,
  -- For this person alone; null: for everybody who follows the listing.
  user_id uuid references users on delete cascade,
  kind text not null,
  payload jsonb not null,
  at timestamptz not null default app_now(),
  check (listing_id is not null or user_id is not null)
);

create index live_events_at on live_events (at);

create table watches (
  user_id uuid not null references users on delete cascade,
  listing_id uuid not null references listings,
  created_at timestamptz not null default app_now(),
  primary key (user_id, listing_id)
);

create index watches_listing on watches (listing_id);

create table saved_searches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  alerts boolean not null,
  created_at timestamptz not null default app_now()
);

create index saved_searches_user on saved_searches (user_id, created_at desc);

grant select, insert, delete on live_events, watches, saved_searches to yardbid_app;
