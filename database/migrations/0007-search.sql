-- What listings are found by. Two tables hold one row per Active listing each, so ended listings cost a search nothing. They hold the
-- same but for the words: listing_search has the indexes that a bid does not touch, so that its update there stays within its page,
-- listing_prices those that every bid changes, which are narrow. `listings` itself has no index on price or count for the same reason.

-- Where a place lies on a flat map of the UK, in miles east and north of 54.5° N 2° W: the transverse Mercator projection,
-- less than 0.2 % off from Shetland to Scilly. Distances are those of this map wherever one is shown, compared or sorted by.
create function map_spot(latitude float8, longitude float8) returns point
language sql immutable parallel safe
return point(
  3958.8 * 0.9996 * atanh(cosd(latitude) * sind(longitude + 2)),
  3958.8 * 0.9996 * (atan2(tand(latitude), cosd(longitude + 2)) - radians(54.5))
);

-- The square of the map that a spot lies in, by the length of its side in miles: few squares cover any circle.
create function map_square(spot point, side integer) returns integer
language sql immutable parallel safe
return (floor(spot[0] / side)::integer + 1000) * 10000 + floor(spot[1] / side)::integer + 5000;

-- The words of a listing's text and its material, in one index that can intersect them.
create function search_words(said text, material_id text) returns tsvector
language sql immutable parallel safe
return strip(to_tsvector('english'::regconfig, said || ' ' || translate(material_id, '_', ' '))) || array_to_tsvector(array['m:' || material_id]);

create table listing_search (
  listing_id uuid primary key references listings on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- Rounded as it is shown: by many searches round many post codes nobody finds out more.
  spot point not null,
  latitude real not null,
  longitude real not null,
  price integer not null,
  bid_count integer not null,
  transfer_method_id smallint not null,
  material_id text not null,
  words tsvector not null
) with (fillfactor = 80);

create index listing_search_ending on listing_search (expires_at, listing_id);
create index listing_search_material on listing_search (material_id, expires_at, listing_id);
create index listing_search_newest on listing_search (created_at, listing_id);
create index listing_search_nearest on listing_search using gist (spot);
-- places as squares, not as words: an index of words that is asked for a hundred squares compares each listing with all of them.
-- With the spot included, listings of a square are counted without being read.
create index listing_search_square_4 on listing_search (map_square(spot, 4)) include (spot);
create index listing_search_square_16 on listing_search (map_square(spot, 16)) include (spot);
-- written at once: a list of pending words would be read through by every search
create index listing_search_words on listing_search using gin (words) with (fastupdate = off);

create table listing_prices (
  listing_id uuid primary key references listings on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  spot point not null,
  latitude real not null,
  longitude real not null,
  price integer not null,
  bid_count integer not null,
  transfer_method_id smallint not null,
  material_id text not null
);

create index listing_prices_price on listing_prices (price, listing_id);
create index listing_prices_bids on listing_prices (bid_count, listing_id);

-- The rows of listing_search as they must be: triggers, the invariants and whoever fills many at once read them here.
create view listing_search_rows as
select l.id as listing_id, l.expires_at, l.created_at, shown.spot, shown.latitude::real as latitude, shown.longitude::real as longitude,
       coalesce(l.current_price, l.start_price) as price, l.bid_count, l.transfer_method_id, l.material_id,
       search_words(concat_ws(' ', l.title, l.grade, l.town, l.description), l.material_id) as words
from listings l
cross join lateral (
  select latitude, longitude, map_spot(latitude, longitude) as spot
  from (select round(l.latitude::numeric, 2)::float8 as latitude, round(l.longitude::numeric, 2)::float8 as longitude) as rounded
  offset 0 -- worked out once, not wherever it is used
) as shown
where l.status = 'Active';

-- A trigger, because every writer of a listing must be followed, and none should have to remember it.
create function follow_listing() returns trigger
language plpgsql as $$
begin
  delete from listing_search where listing_id = new.id;
  delete from listing_prices where listing_id = new.id;
  if new.status = 'Active' then
    insert into listing_search select * from listing_search_rows where listing_id = new.id;
    insert into listing_prices
    select listing_id, expires_at, created_at, spot, latitude, longitude, price, bid_count, transfer_method_id, material_id
    from listing_search
    where listing_id = new.id;
  end if;
  return null;
end $$;

create function follow_bids() returns trigger
language plpgsql as $$
begin
  update listing_search
  set price = coalesce(new.current_price, new.start_price), bid_count = new.bid_count, expires_at = new.expires_at
  where listing_id = new.id;
  update listing_prices
  set price = coalesce(new.current_price, new.start_price), bid_count = new.bid_count, expires_at = new.expires_at
  where listing_id = new.id;
  return null;
end $$;

create trigger new_listing_is_found after insert on listings
for each row when (new.status = 'Active') execute function follow_listing();

create trigger changed_listing_is_found
after update of status, title, grade, town, description, material_id, transfer_method_id, latitude, longitude, start_price on listings
for each row when (old.status = 'Active' or new.status = 'Active') execute function follow_listing();

create trigger price_is_found after update of current_price, bid_count, expires_at on listings
for each row when (old.status = 'Active' and new.status = 'Active') execute function follow_bids();

insert into listing_search select * from listing_search_rows;
insert into listing_prices
select listing_id, expires_at, created_at, spot, latitude, longitude, price, bid_count, transfer_method_id, material_id from listing_search;

-- What has ended and may be seen by everybody, newest end first.
create index listings_ended on listings (expires_at, id) where status not in ('Active', 'Processing', 'HasAdminIssue', 'RemovedByAdmin');

-- A saved search as its alerts compare it; `filter` stays what the browser is given back.
alter table saved_searches
  add column material_id text,
  add column transfer_method_id smallint,
  add column min_price integer,
  add column max_price integer,
  add column words tsquery,
  add column spot point,
  add column radius_miles float8;

create index saved_searches_alerts on saved_searches (material_id) where alerts;

-- Who was told of what: once, however often the job that tells runs.
create table listing_alerts (
  user_id uuid not null references users on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  at timestamptz not null default app_now(),
  primary key (user_id, listing_id)
);

create table ending_soon_notices (
  user_id uuid not null references users on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  -- As the setting says it: '1h'.
  span text not null,
  at timestamptz not null default app_now(),
  primary key (user_id, listing_id, span)
);

grant select, insert, update, delete on listing_search, listing_prices to yardbid_app;
grant select on listing_search_rows to yardbid_app;
grant select, insert on listing_alerts, ending_soon_notices to yardbid_app;
