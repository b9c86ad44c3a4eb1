-- Photos, videos and documents of a listing, in the seller's order. An upload belongs to one listing at most.
create table listing_media (
  listing_id uuid not null references listings,
  storage_object_id uuid primary key references storage_objects,
  position smallint not null check (position between 1 and 20),
  unique (listing_id, position)
);

-- What waits to become Active: few at any moment.
create index listings_processing on listings (created_at) where status = 'Processing';

grant select, insert, delete on listing_media to yardbid_app;
