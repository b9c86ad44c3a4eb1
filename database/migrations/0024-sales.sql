-- After the hammer: what the buyer owes, the money of a sale, the exchange of the goods, amends, returns, strikes and terms.

-- Rounded half to even, as domain/money.ts does: only for the awards that were made before amounts were stored with them.
create function pg_temp.half_even(value numeric) returns bigint language sql immutable as $$
  select (case
    when value - trunc(value) = 0.5 and trunc(value)::bigint % 2 = 0 then trunc(value)
    else round(value)
  end)::bigint
$$;

alter table awards
  -- Frozen with the award, like the price.
  add column vat_rate numeric(5, 2),
  -- What the buyer owes now: an approved amend changes it.
  add column goods integer,
  add column vat integer,
  add column total integer,
  add column cancel_agreed_by text check (cancel_agreed_by in ('seller', 'buyer')),
  add column paid_at timestamptz,
  -- Bought on deferred terms: how many days, as the buyer had them granted at that moment.
  add column deferred_days integer check (deferred_days > 0),
  add column deferred_expires_at timestamptz,
  add column overdue_at timestamptz;

update awards a
set vat_rate = coalesce((select (value #>> '{}')::numeric from settings where key = 'vat_rate'), 20),
    goods = case when l.price_basis = 'lot' then a.price else pg_temp.half_even(a.price::numeric * l.weight_kg / 1000) end
from listings l
where l.id = a.listing_id;
update awards set vat = case when charges_vat then pg_temp.half_even(goods * vat_rate / 100) else 0 end;
update awards set total = goods + vat;

alter table awards
  alter column vat_rate set not null,
  alter column goods set not null,
  alter column vat set not null,
  alter column total set not null,
  add check (goods > 0 and vat >= 0 and total = goods + vat);

alter table listings
  -- How much of its clock was left when an issue stopped it.
  add column clock_left_ms bigint,
  -- The clock could not move it on yet, because a payment is on its way: looked at again then.
  add column look_again_at timestamptz;

drop index listings_next_step;
create index listings_next_step on listings (coalesce(look_again_at, due_at, 'epoch'), id)
where status not in ('Processing', 'Active', 'Expired', 'HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete');

alter table users
  -- Granted by an admin.
  add column deferred_days integer check (deferred_days > 0),
  add column deferred_limit integer check (deferred_limit > 0),
  add column listing_blocked_reason text;

-- A payment that a buyer was asked for: one intent at the provider. One is open per award and purpose.
create table sale_payments (
  id uuid primary key default gen_random_uuid(),
  award_id uuid not null references awards,
  purpose text not null check (purpose in ('goods', 'balance_due')),
  method text not null check (method in ('card', 'bank_transfer')),
  amount integer not null check (amount > 0),
  -- What has arrived for it: a bank transfer can arrive in parts.
  received integer not null default 0 check (received between 0 and amount),
  -- wanted: the provider was not asked yet. processing: the provider has it and needs days.
  status text not null default 'wanted' check (status in ('wanted', 'open', 'processing', 'succeeded', 'cancelled')),
  intent_id text unique,
  charge_id text unique,
  client_secret text,
  -- { sort_code, account_number, account_holder_name, reference, hosted_url }
  bank_details jsonb,
  -- Why the last try was declined, in the provider's words.
  last_error jsonb,
  created_at timestamptz not null default app_now(),
  settled_at timestamptz,
  check (status <> 'succeeded' or (received = amount and charge_id is not null))
);
create unique index one_open_payment on sale_payments (award_id, purpose) where status in ('wanted', 'open', 'processing');
create unique index one_payment_of_a_purpose on sale_payments (award_id, purpose) where status = 'succeeded';
create index sale_payments_award on sale_payments (award_id, created_at);

-- The holding fee of an award: renewed as a further row before its authorisation lapses.
create table holding_fees (
  id uuid primary key default gen_random_uuid(),
  award_id uuid not null references awards,
  amount integer not null check (amount > 0),
  -- asks_buyer: the card's bank wants 3-D Secure, or another card is needed.
  status text not null default 'wanted'
    check (status in ('wanted', 'authorised', 'asks_buyer', 'released', 'captured', 'lapsed')),
  -- Set when a step releases or captures the fee. The job end_holding_fee then does it at the provider.
  ending text check (ending in ('release', 'capture')),
  intent_id text unique,
  charge_id text unique,
  client_secret text,
  capture_before timestamptz,
  last_error jsonb,
  created_at timestamptz not null default app_now(),
  settled_at timestamptz
);
create unique index one_holding_fee on holding_fees (award_id) where status in ('wanted', 'authorised', 'asks_buyer');
create unique index one_captured_fee on holding_fees (award_id) where status = 'captured';
create index holding_fees_award on holding_fees (award_id, created_at);
create index holding_fees_to_renew on holding_fees (capture_before) where status = 'authorised' and ending is null;

-- Money on its way back to where it came from.
create table refunds (
  id uuid primary key default gen_random_uuid(),
  -- Null: money that belongs to no sale.
  award_id uuid references awards,
  user_id uuid not null references users,
  -- Null: out of the buyer's cash balance at the provider.
  charge_id text,
  amount integer not null check (amount > 0),
  reason text not null,
  -- waiting: the provider waits for the buyer's bank details. waived: below the provider's least amount.
  status text not null default 'wanted' check (status in ('wanted', 'pending', 'waiting', 'succeeded', 'failed', 'cancelled', 'waived')),
  provider_id text unique,
  failure_reason text,
  created_at timestamptz not null default app_now(),
  settled_at timestamptz
);
create index refunds_award on refunds (award_id, created_at);
create index refunds_charge on refunds (charge_id);
create index refunds_open on refunds (created_at) where status in ('wanted', 'pending', 'waiting', 'failed', 'cancelled');

-- A seller's share: one transfer per charge.
create table seller_payouts (
  id uuid primary key default gen_random_uuid(),
  award_id uuid not null references awards,
  seller_id uuid not null references users,
  charge_id text not null,
  purpose text not null check (purpose in ('goods', 'balance_due', 'holding_fee')),
  amount integer not null check (amount > 0),
  -- waiting: the seller's account cannot be paid into yet. stopped: a chargeback came first.
  status text not null default 'wanted' check (status in ('wanted', 'waiting', 'done', 'stopped')),
  transfer_id text unique,
  -- Taken back, and what of it the seller's account could not cover.
  reversed integer not null default 0 check (reversed between 0 and amount),
  receivable integer not null default 0 check (receivable between 0 and amount),
  created_at timestamptz not null default app_now(),
  settled_at timestamptz,
  unique (award_id, charge_id)
);
create index seller_payouts_seller on seller_payouts (seller_id) where status <> 'done' or receivable > 0;

create table sale_disputes (
  id text primary key,
  award_id uuid not null references awards,
  charge_id text not null,
  purpose text not null check (purpose in ('goods', 'balance_due', 'holding_fee')),
  amount integer not null check (amount > 0),
  status text not null default 'open' check (status in ('open', 'won', 'lost')),
  -- What a step has told of it so far.
  heard text check (heard in ('opened', 'won', 'lost')),
  created_at timestamptz not null default app_now(),
  settled_at timestamptz
);
create index sale_disputes_award on sale_disputes (award_id);

-- How the goods change hands.
create table exchanges (
  award_id uuid primary key references awards,
  slot timestamptz,
  reschedules integer not null default 0,
  eta timestamptz,
  vehicle text,
  -- Six digits for the buyer, typed by the seller at the handover.
  handover_code text check (handover_code ~ '^\d{6}$'),
  weigh_at_buyer boolean not null default false,
  seller_weight_kg integer check (seller_weight_kg > 0),
  buyer_weight_kg integer check (buyer_weight_kg > 0),
  received_at timestamptz,
  -- How much of the inspection clock was left when an amend or a return stopped it.
  inspection_left_ms bigint,
  rejected_at timestamptz,
  returns_started integer not null default 0,
  return_reason text,
  return_eta timestamptz
);

create table amends (
  id uuid primary key default gen_random_uuid(),
  award_id uuid not null references awards,
  nth integer not null check (nth > 0),
  -- [{ type, listed, found, price_effect? }]
  lines jsonb not null,
  -- What the buyer owes if it is approved.
  goods integer not null check (goods > 0),
  vat integer not null check (vat >= 0),
  total integer not null,
  -- The total less what it was before.
  difference integer not null check (difference <> 0),
  weight_only boolean not null,
  weight_off numeric(7, 2) not null,
  has_ticket boolean not null,
  status text not null default 'requested' check (status in ('requested', 'withdrawn', 'rejected', 'approved')),
  created_at timestamptz not null default app_now(),
  decided_at timestamptz,
  unique (award_id, nth),
  check (total = goods + vat)
);
create unique index one_open_amend on amends (award_id) where status = 'requested';

create table strikes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  award_id uuid references awards,
  role text not null check (role in ('buyer', 'seller')),
  reason text not null,
  at timestamptz not null default app_now(),
  lifted_at timestamptz
);
create index strikes_user on strikes (user_id, at);

-- Wrong handover codes, for the limit of five an hour.
create table handover_tries (
  award_id uuid not null references awards,
  at timestamptz not null default app_now()
);
create index handover_tries_award on handover_tries (award_id, at);

alter table ledger_entries
  drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account in (
    'provider_clearing', 'provider_fees', 'subscription_income', 'customer_credit', 'buyer_funds', 'seller_payable', 'seller_receivable',
    'seller_fees', 'holding_fees', 'chargebacks', 'chargeback_losses', 'payouts_in_transit', 'payouts_failed', 'platform_bank',
    'provider_cash', 'unallocated', 'suspense'
  ));
create index ledger_transactions_listing on ledger_transactions (listing_id, at) where listing_id is not null;

grant select, insert, update on sale_payments, holding_fees, refunds, seller_payouts, sale_disputes, exchanges, amends, strikes to yardbid_app;
grant select, insert, delete on handover_tries to yardbid_app;
