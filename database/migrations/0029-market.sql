-- The market: enquiries, the conversations and offers about them, and the material preferences that decide who is told of which.

create table enquiries (
  id uuid primary key default gen_random_uuid(),
  poster_id uuid not null references users,
  status text not null default 'open' check (status in ('open', 'agreed', 'ended')),
  -- Why it ended without a deal.
  ended_by text check (ended_by in ('poster', 'time')),
  ended_at timestamptz,
  title text not null,
  description text not null,
  material_id text not null,
  weight_kg integer check (weight_kg > 0),
  available_from date,
  -- The address is shown to the two parties of a deal only.
  address_line_1 text not null,
  address_line_2 text,
  town text not null,
  county text,
  post_code text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- Where everybody sees it: the centre of its postcode district.
  district text not null,
  district_latitude real not null,
  district_longitude real not null,
  spot point not null,
  words tsvector not null
    generated always as (search_words(title || ' ' || description || ' ' || town || ' ' || district, material_id)) stored,
  ends_at timestamptz not null,
  -- Offers that were ever made: from the first on it cannot be edited.
  offer_count integer not null default 0 check (offer_count >= 0),
  -- To the millisecond, as cursors of pages name it.
  created_at timestamptz not null default date_trunc('milliseconds', app_now()),
  check ((status = 'ended') = (ended_at is not null)),
  check ((ended_by is null) = (ended_at is null))
);

create index enquiries_newest on enquiries (created_at, id) where status = 'open';
create index enquiries_material on enquiries (material_id, created_at, id) where status = 'open';
create index enquiries_words on enquiries using gin (words);
create index enquiries_poster on enquiries (poster_id, created_at);

-- An upload belongs to one enquiry at most.
create table enquiry_media (
  enquiry_id uuid not null references enquiries,
  storage_object_id uuid primary key references storage_objects,
  position smallint not null check (position between 1 and 10),
  unique (enquiry_id, position)
);

-- One for each enquiry and member who asks about it or offers for it.
create table enquiry_conversations (
  id uuid primary key default gen_random_uuid(),
  enquiry_id uuid not null references enquiries,
  poster_id uuid not null references users,
  merchant_id uuid not null references users,
  -- Messages and offers are numbered from 1 without gaps, under the lock of this row.
  last_seq integer not null default 0,
  last_at timestamptz not null default date_trunc('milliseconds', app_now()),
  created_at timestamptz not null default app_now(),
  unique (enquiry_id, merchant_id),
  check (poster_id <> merchant_id)
);

create index enquiry_conversations_poster on enquiry_conversations (poster_id, last_at);
create index enquiry_conversations_merchant on enquiry_conversations (merchant_id, last_at);

-- The latest offer of each side is open until somebody decides about it or its maker makes another.
create table enquiry_offers (
  id uuid primary key default gen_random_uuid(),
  enquiry_id uuid not null references enquiries,
  conversation_id uuid not null references enquiry_conversations,
  maker_id uuid not null references users,
  price integer not null check (price > 0),
  collect_at timestamptz,
  -- closed: another offer was accepted, or the enquiry ended.
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'withdrawn', 'replaced', 'closed')),
  decided_at timestamptz,
  created_at timestamptz not null default app_now(),
  check ((status = 'open') = (decided_at is null))
);

create unique index one_open_offer_a_side on enquiry_offers (conversation_id, maker_id) where status = 'open';
create unique index one_accepted_offer on enquiry_offers (enquiry_id) where status = 'accepted';
create index enquiry_offers_enquiry on enquiry_offers (enquiry_id);
create index enquiry_offers_maker on enquiry_offers (maker_id) where status = 'open';

create table enquiry_messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references enquiry_conversations,
  seq integer not null check (seq > 0),
  sender_id uuid not null references users,
  body text not null,
  -- The message that carries an offer.
  offer_id uuid unique references enquiry_offers,
  created_at timestamptz not null default app_now(),
  -- When the other side read it.
  read_at timestamptz,
  unique (conversation_id, seq)
);

create index enquiry_messages_unread on enquiry_messages (conversation_id) where read_at is null;

create table enquiry_message_media (
  message_id uuid not null references enquiry_messages,
  storage_object_id uuid primary key references storage_objects,
  position smallint not null check (position between 1 and 5),
  unique (message_id, position)
);

-- What was agreed: one holder for each enquiry. Its own copy of the terms, append-only.
create table enquiry_deals (
  enquiry_id uuid primary key references enquiries,
  offer_id uuid not null unique references enquiry_offers,
  conversation_id uuid not null unique references enquiry_conversations,
  poster_id uuid not null references users,
  holder_id uuid not null references users,
  accepted_by uuid not null references users,
  title text not null,
  material_id text not null,
  weight_kg integer,
  price integer not null,
  collect_at timestamptz,
  agreed_at timestamptz not null default app_now(),
  check (accepted_by in (poster_id, holder_id))
);

-- What a member buys, and round which place.
create table material_preferences (
  user_id uuid primary key references users on delete cascade,
  material_ids text[] not null,
  min_weight_kg integer check (min_weight_kg > 0),
  radius_miles real check (radius_miles between 1 and 500),
  post_code text,
  spot point,
  alerts boolean not null,
  updated_at timestamptz not null default app_now(),
  check ((post_code is null) = (spot is null)),
  check (radius_miles is null or spot is not null)
);

-- The prompt to set them up ends when they are saved.
alter table users add column material_preferences_saved_at timestamptz;

-- Preferences with alerts as matching looks them up: a row for each material, under the square of the map that holds the centre of the
-- circle. The square is about as wide as the circle's radius, so whatever lies in the circle lies in that square or in one beside it
-- (domain/market/preference-cells.ts). Cell 0 holds those without a radius.
create table preference_cells (
  material_id text not null,
  cell integer not null,
  user_id uuid not null references users on delete cascade,
  spot point,
  radius_miles real,
  min_weight_kg integer,
  primary key (material_id, cell, user_id) include (spot, radius_miles, min_weight_kg)
);

create index preference_cells_user on preference_cells (user_id);

-- Tradespeople who agreed to be shown on the market's map, by postcode district.
create table tradespeople_on_map (
  user_id uuid primary key references users on delete cascade,
  agreed_at timestamptz not null default app_now()
);

grant select, insert, update on enquiries, enquiry_conversations, enquiry_offers to yardbid_app;
grant select, insert, delete on enquiry_media, tradespeople_on_map, preference_cells to yardbid_app;
grant select, insert on enquiry_messages, enquiry_message_media, enquiry_deals to yardbid_app;
grant update (read_at) on enquiry_messages to yardbid_app;
grant select, insert, update, delete on material_preferences to yardbid_app;
