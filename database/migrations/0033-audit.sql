-- Every act of an admin, and every look at somebody's data by admin or support. Each entry holds the hash of the one before it, so
-- that a changed or removed entry shows; `audit_head` holds the newest hash, so that a cut tail shows too.

create table audit_entries (
  -- 1..n without a gap.
  id bigint primary key,
  -- Never earlier than that of the entry before: a span of time is a span of ids.
  at timestamptz not null,
  -- Without foreign keys: their row locks, taken while the chain is locked, would deadlock with transactions that change the user.
  actor_id uuid,
  actor text not null,
  actor_role text not null check (actor_role in ('support', 'admin', 'command')),
  kind text not null check (kind in ('act', 'look')),
  act text not null,
  subject_user_id uuid,
  reason text,
  details jsonb not null default '{}',
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  check ((actor_role = 'command') = (actor_id is null))
);

create index audit_entries_at on audit_entries (at, id);
create index audit_entries_actor_id on audit_entries (actor_id, id);
create index audit_entries_actor on audit_entries (actor, id);
create index audit_entries_act on audit_entries (act, id);
create index audit_entries_subject on audit_entries (subject_user_id, id);
create index audit_entries_acts on audit_entries (id) where kind = 'act';

create table audit_head (
  is_only_row boolean primary key default true check (is_only_row),
  entry_id bigint not null,
  hash bytea not null check (length(hash) = 32),
  at timestamptz not null
);

insert into audit_head (entry_id, hash, at)
values (0, decode(repeat('00', 32), 'hex'), '-infinity');

-- Over a text that is the same on every server: jsonb writes keys and numbers in one way.
create function audit_hash(entry audit_entries) returns bytea
language sql stable
return sha256(convert_to(
  jsonb_build_array(
    (entry).id, (extract(epoch from (entry).at) * 1000000)::bigint, (entry).actor_id, (entry).actor, (entry).actor_role, (entry).kind,
    (entry).act, (entry).subject_user_id, (entry).reason, (entry).details, encode((entry).previous_hash, 'hex')
  )::text,
  'UTF8'
));

-- The lock on the head is held until the commit: entries of transactions that run at once form one chain.
create function chain_audit_entry(entry audit_entries, happened_at timestamptz) returns audit_entries
language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  entry.id := head.entry_id + 1;
  entry.at := greatest(happened_at, head.at);
  entry.previous_hash := head.hash;
  entry.hash := audit_hash(entry);
  update audit_head set entry_id = entry.id, hash = entry.hash, at = entry.at;
  return entry;
end $$;

revoke execute on function chain_audit_entry from public;

-- What was written down before there was a chain.
do $$
declare
  old audit_log;
  entry audit_entries;
begin
  for old in select * from audit_log order by id loop
    entry := null;
    entry.actor_id := (select id from users where email = old.actor);
    entry.actor := old.actor;
    entry.actor_role := case when entry.actor_id is null then 'command' else 'admin' end;
    entry.kind := 'act';
    entry.act := replace(old.act, '_', '-');
    entry.subject_user_id := old.subject_user_id;
    entry.reason := nullif(old.details ->> 'reason', '');
    entry.details := old.details - 'reason';
    entry := chain_audit_entry(entry, old.at);
    insert into audit_entries select entry.*;
  end loop;
end $$;

drop table audit_log;

-- As the owner of the tables: the application's role may add an entry, and cannot touch the head.
create function add_audit_entry() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return chain_audit_entry(new, app_now());
end $$;

create trigger chained before insert on audit_entries
for each row execute function add_audit_entry();

create function refuse_audit_change() returns trigger
language plpgsql as $$
begin
  raise exception 'audit entries are never changed or removed' using errcode = 'insufficient_privilege';
end $$;

create trigger never_changed before update or delete or truncate on audit_entries
for each statement execute function refuse_audit_change();

grant select, insert on audit_entries to yardbid_app;
grant select on audit_head to yardbid_app;

-- The newest hash goes into the log every hour and to the admins every day, however many processes plan it.
create unique index one_audit_head on jobs (kind, run_at) where kind in ('log_audit_head', 'send_audit_head');
