-- Onboarding: what a business says of itself, and the documents by which that is checked.

create table onboarding_profiles (
  user_id uuid primary key references users on delete cascade,
  -- The first is the main one and stands in users.business_activity too.
  activities text[] not null check (cardinality(activities) between 1 and 20),
  -- As Companies House writes it.
  company_number text check (company_number ~ '^[A-Z0-9]{8}$'),
  -- What the user says. What counts for bidding is users.licence_status, which follows from the documents.
  licence_number text,
  licence_council text,
  licence_expires_at timestamptz,
  waste_carrier_number text,
  updated_at timestamptz not null default app_now()
);

create table sites (
  user_id uuid not null references users on delete cascade,
  position smallint not null check (position between 1 and 10),
  name text not null,
  address_line_1 text not null,
  address_line_2 text,
  town text not null,
  county text,
  country text,
  post_code text not null,
  latitude double precision not null,
  longitude double precision not null,
  primary key (user_id, position)
);

create table merchant_documents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- Null: recorded by the back office without a file, and not the user's to replace or remove.
  storage_object_id uuid unique references storage_objects,
  kind text not null check (kind in ('scrap_dealer_licence', 'waste_carrier', 'other')),
  number text,
  council text,
  expires_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reason text,
  submitted_at timestamptz not null default app_now(),
  reviewed_at timestamptz,
  reviewed_by uuid references users,
  check ((status = 'rejected') = (reason is not null)),
  check ((status = 'pending') = (reviewed_at is null)),
  check (storage_object_id is not null or status = 'approved')
);

create index merchant_documents_user on merchant_documents (user_id, submitted_at);
create index merchant_documents_status on merchant_documents (status, submitted_at, id);
create index merchant_documents_submitted on merchant_documents (submitted_at, id);
create index licences_ending on merchant_documents (expires_at) where status = 'approved' and kind = 'scrap_dealer_licence';

-- One e-mail per licence and span (setting licence_warnings).
create table licence_notices (
  document_id uuid not null references merchant_documents on delete cascade,
  span text not null,
  at timestamptz not null default app_now(),
  primary key (document_id, span)
);

-- A licence that was approved before there were documents stays approved.
insert into merchant_documents (user_id, kind, status, expires_at, reviewed_at)
select id, 'scrap_dealer_licence', 'approved', licence_expires_at, app_now()
from users
where licence_status = 'approved';

grant select, insert, update, delete on onboarding_profiles, sites, merchant_documents to yardbid_app;
grant select, insert on licence_notices to yardbid_app;
