/** The sandbox makes its own schema: nobody but the database's owner has a right on it. */
export const schemaSql = `
  create schema if not exists stripe_sandbox;
  create table if not exists stripe_sandbox.objects (
    kind text not null,
    id text not null,
    account text not null default '',
    seq bigint generated always as identity,
    doc jsonb not null,
    primary key (kind, id)
  );
  create index if not exists objects_by_id on stripe_sandbox.objects (id);
  create index if not exists objects_in_order on stripe_sandbox.objects (kind, account, seq);
  create index if not exists objects_by_field on stripe_sandbox.objects using gin (doc jsonb_path_ops) where kind <> 'event';
  create table if not exists stripe_sandbox.deliveries (
    event_id text primary key,
    seq bigint generated always as identity,
    attempts integer not null default 0,
    due_at timestamptz not null default clock_timestamp(),
    outcome text check (outcome in ('delivered', 'lost', 'given up'))
  );
  create index if not exists deliveries_open on stripe_sandbox.deliveries (due_at) where outcome is null;
  create table if not exists stripe_sandbox.answers (
    key text primary key,
    request text not null,
    status integer not null,
    body text not null,
    request_id text not null,
    created_at timestamptz not null
  );
  create table if not exists stripe_sandbox.faults (
    id boolean primary key default true check (id),
    faults jsonb not null
  );`

/** One request at a time, over every process that listens. */
export const REQUEST_LOCK = 7_261_040
export const KEY_LOCKS = 7_261
