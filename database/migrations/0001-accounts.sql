-- Accounts: users, their addresses and sessions, what limits and what serves them.

-- The only clock that decides anything. Tests and the sandbox replace this function to travel in time.
create function app_now() returns timestamptz
language sql volatile parallel safe
return clock_timestamp();

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_verified_at timestamptz,
  password_hash text not null check (password_hash like '$argon2id$%'),
  -- A temporary password works until it expires or its logins are used up; null means an ordinary password.
  temporary_password_expires_at timestamptz,
  temporary_logins_left integer not null default 0 check (temporary_logins_left >= 0),
  first_name text not null,
  surname text not null,
  business_type text not null check (business_type in ('company', 'individual')),
  business_activity text,
  company_name text not null,
  date_of_birth date not null,
  contact_number text not null,
  vat_number text,
  not_vat_registered boolean not null default false,
  terms_accepted_at timestamptz not null,
  is_admin boolean not null default false,
  tier text not null check (tier in ('full', 'basic', 'seller')),
  subscription_status text,
  trial_ends_at timestamptz,
  payment_account_completed boolean not null default false,
  payment_account_verified boolean not null default false,
  -- RULES §2: 0 your business, 1 get paid, 2 benefits, 3 subscription payment, 4 licence; null when done.
  onboarding_stage smallint default 0 check (onboarding_stage between 0 and 4),
  -- Null while the account of a collector is being checked.
  opened_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text,
  deleted_at timestamptz,
  deletion_reason text,
  erased_at timestamptz check (erased_at is null or deleted_at is not null),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (vat_number is not null or not_vat_registered or erased_at is not null)
);

create unique index users_email on users (lower(normalize(email, nfkc)));

create table addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  address_line_1 text not null,
  address_line_2 text,
  town text not null,
  county text,
  country text,
  post_code text not null,
  latitude double precision not null,
  longitude double precision not null,
  is_default_address boolean not null default false,
  is_company_address boolean not null default false,
  created_at timestamptz not null default app_now()
);

create index addresses_user on addresses (user_id);
create unique index one_default_address on addresses (user_id) where is_default_address;
create unique index one_company_address on addresses (user_id) where is_company_address;

-- Only the hash of a session's token is kept: reading this table logs nobody in.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  device_name text,
  created_at timestamptz not null default app_now(),
  last_seen_at timestamptz not null default app_now()
);

create index sessions_user on sessions (user_id);

create table email_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default app_now()
);

create index email_tokens_user on email_tokens (user_id, purpose);

-- What is rate-limited, one row a try. The bucket says what and whose: 'login:203.0.113.9:jo@example.test'.
create table attempts (
  id bigint generated always as identity primary key,
  bucket text not null,
  made_at timestamptz not null default app_now()
);

create index attempts_bucket on attempts (bucket, made_at);

-- Takes one try out of a bucket, or says how many seconds to wait. Counting and taking are one step for every process.
create function take_attempt(which text, allowed integer, per interval, out attempt_id bigint, out wait_seconds integer)
language plpgsql as $$
declare
  since timestamptz;
  oldest timestamptz;
  made integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(which, 1));
  since := app_now() - per;
  delete from attempts where bucket = which and made_at <= since;
  select count(*), min(made_at) into made, oldest from attempts where bucket = which;
  if made >= allowed then
    wait_seconds := greatest(1, ceil(extract(epoch from oldest - since)));
    return;
  end if;
  insert into attempts (bucket) values (which) returning id into attempt_id;
end $$;

-- Work for later or for the outside world. A worker leases a job and deletes it when done; a lease that ran out
-- belonged to a process that died, and the job runs again.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  payload jsonb not null,
  run_at timestamptz not null default app_now(),
  leased_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  failed_at timestamptz,
  created_at timestamptz not null default app_now()
);

create index jobs_due on jobs (greatest(run_at, leased_until)) where failed_at is null;

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default app_now()
);

-- Every act of an administrator. Nobody edits it: the application's role may only add and read.
create table audit_log (
  id bigint generated always as identity primary key,
  actor text not null,
  act text not null,
  subject_user_id uuid references users,
  details jsonb not null default '{}',
  at timestamptz not null default app_now()
);

grant select, insert, update, delete on users, addresses, sessions, email_tokens, attempts, jobs, settings to yardbid_app;
grant select, insert on audit_log to yardbid_app;
