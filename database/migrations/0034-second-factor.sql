-- A second factor for logging in: codes that change every 30 seconds (RFC 6238), and recovery codes that work once.

-- Null while the user has none.
alter table users add column second_factor_since timestamptz;

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted by a key of the server's own: reading this table makes no codes.
  secret bytea not null check (length(secret) = 48),
  -- The newest 30 seconds whose code was used: no code is accepted twice.
  last_step bigint,
  created_at timestamptz not null default app_now()
);

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- When the session's user last gave the password: what moves money asks for it again.
alter table sessions add column password_confirmed_at timestamptz;

update sessions set password_confirmed_at = created_at;

alter table sessions
  alter column password_confirmed_at set default app_now(),
  alter column password_confirmed_at set not null;

grant select, insert, update, delete on second_factors, recovery_codes to yardbid_app;
