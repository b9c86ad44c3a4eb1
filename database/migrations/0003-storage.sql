-- Uploads: reserved, sent straight to the store, checked, and only then linkable.

create table storage_objects (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users,
  -- SPEC §3: 1 listing media, 2 listing asset, 3 user asset; the latter two are documents of a kind
  upload_kind smallint not null check (upload_kind in (1, 2, 3)),
  storage_object_kind smallint check (storage_object_kind in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11)),
  -- to show and to download by; no path is ever made of it
  filename text not null check (length(filename) between 1 and 120),
  mime_type text not null,
  -- as uploaded; an image that is served was made anew and has a size of its own
  file_size integer not null check (file_size > 0),
  state text not null default 'reserved' check (state in ('reserved', 'uploaded', 'ready', 'rejected', 'deleted')),
  rejection text,
  -- of what is served; what was sent waits in quarantine under incoming/<id>
  object_key text unique,
  sha256 bytea check (length(sha256) = 32),
  width integer check (width > 0),
  height integer check (height > 0),
  -- width → key
  thumbnails jsonb not null default '{}',
  poster_key text,
  reserved_at timestamptz not null default app_now(),
  uploaded_at timestamptz,
  ready_at timestamptz,
  check ((upload_kind = 1) = (storage_object_kind is null)),
  check (state <> 'ready' or (object_key is not null and sha256 is not null and ready_at is not null)),
  check ((state = 'rejected') = (rejection is not null))
);

create index storage_objects_owner on storage_objects (owner_id);
create index storage_objects_unfinished on storage_objects (reserved_at) where state in ('reserved', 'uploaded');

-- Any number of processes plan the hourly sweep; it is planned once.
create unique index one_sweep_at_a_time on jobs (run_at) where kind = 'sweep_storage';

grant select, insert, update on storage_objects to yardbid_app;
