-- The life of a listing from its submission to the payment: clocks, offers, notes, papers, and whom a step is told to.

alter table listings
  -- When its status was entered; an offer to another bidder enters NextBidder anew.
  add column entered_at timestamptz not null default app_now(),
  -- When time does something to it next, as its status was entered: a deadline that somebody was given does not move with a setting.
  -- Null: no clock runs, or the closer has yet to start it. An Active listing has its `expires_at`, which bids move.
  add column due_at timestamptz,
  -- Where a release from HasAdminIssue leads back to.
  add column former_status text,
  add column reservation_waived boolean not null default false,
  -- What the seller added after the first bid: [{ text, at }], oldest first.
  add column notes jsonb not null default '[]',
  add column withdrawal_reason text,
  add column relisted_from uuid references listings;

update listings l
set entered_at = e.at
from (select listing_id, max(at) as at from listing_events where from_status is distinct from to_status group by listing_id) as e
where e.listing_id = l.id;

-- relisted once: the copy is relisted next
create unique index one_relisting on listings (relisted_from) where relisted_from is not null;

-- What is due beside the ends of Active listings; a clock that was not started yet is due at once.
create index listings_next_step on listings (coalesce(due_at, 'epoch'), id)
where status in ('Processing', 'ReservationPrice', 'NextBidder', 'AwaitingKYC', 'AwaitingVatNumberVerification', 'InvoiceRequired', 'MissedPayment');

-- Nobody is offered the same listing twice; who missed a payment may have one second chance, which is an award of its own.
alter table awards
  add column reinstated boolean not null default false,
  drop constraint awards_listing_id_bidder_id_key,
  add unique (listing_id, bidder_id, reinstated);

-- A listing and the one that it was relisted as share their photos; otherwise an upload belongs to one listing.
alter table listing_media
  drop constraint listing_media_pkey,
  add primary key (listing_id, storage_object_id);
create index listing_media_object on listing_media (storage_object_id);

-- Papers that came with a step, such as the seller's invoice.
create table listing_documents (
  storage_object_id uuid primary key references storage_objects,
  listing_id uuid not null references listings,
  given_by uuid not null references users,
  step text not null,
  field text not null,
  at timestamptz not null default app_now()
);

create index listing_documents_listing on listing_documents (listing_id);

-- Each person is told of each step at most once, however often the job that does it is tried.
create table told (
  event_id bigint not null references listing_events,
  user_id uuid not null references users on delete cascade,
  at timestamptz not null default app_now(),
  primary key (event_id, user_id)
);

grant select, insert on listing_documents, told to yardbid_app;
