-- The papers of a sale that we issue, numbered without gaps, and the records of the Scrap Metal Dealers Act 2013.

-- The number that a series has reached. Its row is locked until the step that takes a number is committed, so none is lost or given twice.
create table paper_series (
  -- the kind of paper and the seller's id, such as 'invoice:<seller>'
  key text primary key,
  -- printed in front of each number, so that no two sellers' papers have the same one
  no integer generated always as identity (start with 1001) unique,
  last_nth integer not null default 0 check (last_nth >= 0)
);

create table papers (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings,
  award_id uuid not null references awards,
  kind text not null check (kind in (
    'invoice', 'supplementary_invoice', 'credit_note', 'return_credit_note', 'waste_transfer_note', 'consignment_note'
  )),
  -- What it is about, where an award has several of a kind: the amend's id, 'cancelled', 'draft'.
  reference text not null default '',
  -- A draft has no number: the note of a load that has not moved yet.
  is_draft boolean not null default false,
  series text references paper_series,
  nth integer check (nth > 0),
  number text,
  -- Of invoices and credit notes, in pence; a credit note's is what it credits.
  total integer check (total > 0),
  -- Everything that is printed (domain/papers/printed-paper.ts), as it was when the paper was issued.
  data jsonb not null,
  -- Over everything above: a paper that was changed no longer fits its seal.
  seal bytea not null,
  created_at timestamptz not null default app_now(),
  -- Of the PDF, once it is drawn.
  sha256 bytea check (length(sha256) = 32),
  bytes integer check (bytes > 0),
  drawn_at timestamptz,
  unique (award_id, kind, reference),
  unique (series, nth),
  check ((series is null) = is_draft and (nth is null) = is_draft and (number is null) = is_draft),
  check ((total is null) = (kind in ('waste_transfer_note', 'consignment_note'))),
  check ((sha256 is null) = (bytes is null) and (sha256 is null) = (drawn_at is null))
);
create index papers_listing on papers (listing_id, created_at);

create function paper_seal(paper papers) returns bytea
language sql stable
return sha256(convert_to(concat_ws('|', paper.award_id, paper.kind, paper.reference, paper.series, paper.nth, paper.number, paper.total, paper.data), 'utf8'));

create function seal_paper() returns trigger language plpgsql as $$
begin
  new.seal := paper_seal(new);
  return new;
end $$;
create trigger seal_paper before insert on papers for each row execute function seal_paper();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is final', tg_table_name, old.id;
end $$;
create trigger drawn_once before update on papers for each row when (old.sha256 is not null) execute function refuse_change();

-- Records that the Scrap Metal Dealers Act 2013 asks for: of metal received (section 13) and disposed of (section 14). They hold copies of names
-- and addresses, because they are kept after an account is erased.
create table scrap_records (
  id uuid primary key default gen_random_uuid(),
  award_id uuid not null references awards,
  listing_id uuid not null references listings,
  -- Whose record it is: the buyer's receipt and the seller's disposal, the other way round when the goods go back.
  user_id uuid not null references users,
  kind text not null check (kind in ('receipt', 'disposal')),
  cause text not null check (cause in ('sale', 'return')),
  -- When the goods changed hands.
  at timestamptz not null,
  -- { company_name, contact_name, address: [lines], company_number, licence, waste_carrier_number, … }
  keeper jsonb not null,
  counterparty jsonb not null,
  carrier jsonb not null,
  material_id text not null,
  title text not null,
  grade text,
  condition text,
  ewc_code text,
  -- Marks and other features by which the goods are known, such as serial numbers.
  marks text,
  vehicle text,
  -- s.11: [{ source, reference, date }]
  identity_evidence jsonb not null,
  weight_kg integer check (weight_kg > 0),
  weight_from text check (weight_from in ('buyer', 'seller', 'listing')),
  -- In pence, with VAT.
  price integer not null check (price > 0),
  paid_by text not null,
  paid_how text not null,
  payment_reference text,
  kept_until date not null,
  created_at timestamptz not null default app_now(),
  -- Weight, price and payment are filled in until the exchange ends, and final from then on.
  completed_at timestamptz,
  unique (award_id, cause, kind),
  check ((weight_kg is null) = (weight_from is null))
);
create index scrap_records_user on scrap_records (user_id, at desc, id desc);
create trigger completed_once before update on scrap_records for each row when (old.completed_at is not null) execute function refuse_change();

-- What a party uploaded with a step, and the sale that it belongs to: the award that was the latest at that moment.
create view award_documents as
select d.storage_object_id, d.listing_id, d.given_by, d.step, d.field, d.at, a.id as award_id, a.bidder_id as buyer_id, l.seller_id
from listing_documents d
join listings l on l.id = d.listing_id
join lateral (
  select id, bidder_id
  from awards
  where listing_id = d.listing_id and created_at <= d.at
  order by created_at desc, id desc
  limit 1
) a on true;

grant select, insert, update on paper_series to yardbid_app;
grant select, insert on papers, scrap_records to yardbid_app;
grant update (sha256, bytes, drawn_at) on papers to yardbid_app;
grant update (weight_kg, weight_from, price, paid_by, paid_how, payment_reference, completed_at) on scrap_records to yardbid_app;
grant select on award_documents to yardbid_app;
