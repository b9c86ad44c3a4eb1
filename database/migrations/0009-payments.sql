-- Getting paid: what is asked of the payment provider, what it tells us, subscriptions with their coupons and invoices, the ledger.

-- One number for every look at the provider: what was read later replaces what was read earlier, never the other way round.
create sequence provider_reads;

alter table users
  -- What the provider still asks for: [{ code, is_overdue }].
  add column payment_account_requirements jsonb not null default '[]',
  add column payment_account_read bigint not null default 0,
  add column provider_customer_id text unique,
  -- The card that the subscription is paid with and the card for holding fees: { id, brand, last4, exp_month, exp_year }, never a number.
  add column subscription_card jsonb,
  add column holding_fee_card_shown jsonb,
  add column cards_read bigint not null default 0,
  -- Set when a trial is reserved, given back if its subscription ends before it was confirmed.
  add column trial_used_at timestamptz;

-- Every call that creates or moves something at the provider, committed before it is made. A call whose outcome is not known stays
-- pending and is made again with the same key, which the provider answers as it did the first time.
create table provider_calls (
  id uuid primary key default gen_random_uuid(),
  idempotency_key text not null unique,
  kind text not null,
  user_id uuid references users,
  subject jsonb not null default '{}',
  params jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'refused')),
  provider_id text,
  error jsonb,
  attempts integer not null default 0,
  -- Nobody else makes the same call at the same moment.
  leased_until timestamptz,
  called_at timestamptz,
  created_at timestamptz not null default app_now(),
  settled_at timestamptz,
  check ((status = 'pending') = (settled_at is null)),
  check (status <> 'done' or provider_id is not null)
);

create index provider_calls_pending on provider_calls (created_at) where status = 'pending';
create index provider_calls_user on provider_calls (user_id, kind, created_at);

-- What the provider has told us, each once.
create table provider_events (
  id text primary key,
  type text not null,
  object_id text,
  account text,
  created timestamptz not null,
  received_at timestamptz not null default app_now(),
  applied_at timestamptz
);

create index provider_events_open on provider_events (received_at) where applied_at is null;

create table coupons (
  id uuid primary key default gen_random_uuid(),
  code text not null check (code ~ '^[A-Za-z0-9_-]{1,50}$'),
  percent_off numeric(5, 2) check (percent_off > 0 and percent_off <= 100),
  amount_off integer check (amount_off > 0),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  duration_in_months integer check (duration_in_months between 1 and 36),
  max_redemptions integer check (max_redemptions > 0),
  redeem_by timestamptz,
  is_active boolean not null default true,
  created_at timestamptz not null default app_now(),
  check ((percent_off is null) <> (amount_off is null)),
  check ((duration = 'repeating') = (duration_in_months is not null))
);

create unique index coupons_code on coupons (lower(code));

create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- Null until the provider has answered.
  provider_id text unique,
  -- The provider's word.
  status text not null default 'incomplete'
    check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  -- The first payment or the card for after the trial is still to be confirmed.
  awaits_confirmation boolean not null default true,
  price integer not null check (price >= 0),
  current_period_end timestamptz,
  trial_ends_at timestamptz,
  cancel_at_period_end boolean not null default false,
  card jsonb,
  coupon_id uuid references coupons,
  -- Whether the discount of the coupon still counts for the next payment.
  has_discount boolean not null default false,
  past_due_since timestamptz,
  grace_ends_at timestamptz,
  confirmed_at timestamptz,
  created_at timestamptz not null default app_now(),
  ended_at timestamptz,
  read_no bigint not null default 0
);

create unique index one_live_subscription on subscriptions (user_id) where ended_at is null;
create index subscriptions_user on subscriptions (user_id, created_at desc);

-- One per coupon and user; one that belongs to a subscription which was never confirmed is given back.
create table coupon_redemptions (
  coupon_id uuid not null references coupons,
  user_id uuid not null references users,
  subscription_id uuid not null unique references subscriptions,
  at timestamptz not null default app_now(),
  primary key (coupon_id, user_id)
);

create table subscription_invoices (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null unique,
  user_id uuid not null references users,
  number text not null unique,
  status text not null check (status in ('open', 'paid', 'uncollectible', 'void')),
  total integer not null,
  amount_due integer not null,
  amount_paid integer not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  created_at timestamptz not null,
  read_no bigint not null default 0
);

create index subscription_invoices_user on subscription_invoices (user_id, created_at desc, id);

-- Double entry. A transaction is what one movement at the provider, or one decision, did to the accounts.
create table ledger_transactions (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it explains, once: the provider's balance transaction, or the object and what became of it.
  source text not null unique,
  memo text not null,
  user_id uuid references users,
  listing_id uuid references listings,
  reverses bigint unique references ledger_transactions,
  -- When the money moved, by the provider's clock.
  occurred_at timestamptz not null,
  at timestamptz not null default app_now()
);

create index ledger_transactions_user on ledger_transactions (user_id, at);

create table ledger_entries (
  transaction_id bigint not null references ledger_transactions,
  line smallint not null check (line >= 1),
  account text not null check (account in (
    'provider_clearing', 'provider_fees', 'subscription_income', 'customer_credit', 'buyer_funds', 'seller_payable', 'seller_fees',
    'holding_fees', 'chargebacks', 'chargeback_losses', 'payouts_in_transit', 'payouts_failed', 'platform_bank', 'suspense'
  )),
  -- In pence: debits above zero, credits below.
  amount bigint not null check (amount <> 0),
  currency text not null default 'GBP' check (currency = 'GBP'),
  user_id uuid references users,
  primary key (transaction_id, line)
);

create index ledger_entries_account on ledger_entries (account, transaction_id);

-- Looked at when the transaction commits: every transaction has two lines or more, and they sum to zero.
create function ledger_balances() returns trigger
language plpgsql as $$
declare
  lines integer;
  total bigint;
  which bigint;
begin
  if tg_table_name = 'ledger_entries' then which := new.transaction_id; else which := new.id; end if;
  select count(*), coalesce(sum(amount), 0) into lines, total from ledger_entries where transaction_id = which;
  if lines < 2 or total <> 0 then
    raise exception 'ledger transaction % does not balance: % lines, % pence', which, lines, total using errcode = 'check_violation';
  end if;
  return null;
end $$;

create constraint trigger ledger_transaction_balances
after insert on ledger_transactions
deferrable initially deferred
for each row execute function ledger_balances();

create constraint trigger ledger_entry_balances
after insert or update on ledger_entries
deferrable initially deferred
for each row execute function ledger_balances();

grant usage on sequence provider_reads to yardbid_app;
grant select, insert, update on subscriptions, subscription_invoices, coupons to yardbid_app;
grant select, insert on provider_calls to yardbid_app;
-- What was meant to be asked, and when, stays as it was written; the parameters are only ever emptied, when their user is erased.
grant update (status, provider_id, error, attempts, leased_until, called_at, settled_at, params) on provider_calls to yardbid_app;
grant select, insert on provider_events to yardbid_app;
grant update (applied_at) on provider_events to yardbid_app;
grant select, insert, delete on coupon_redemptions to yardbid_app;
grant select, insert on ledger_transactions, ledger_entries to yardbid_app;

-- One look per day at everything that the provider has moved, however many processes plan it.
create unique index one_reconciliation on jobs (run_at) where kind = 'reconcile_provider';
