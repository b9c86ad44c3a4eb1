-- Notifications: one row for each person and event, whatever the channels. A row is written in the transaction of its event. Its place in
-- the person's list is given afterwards, by the first who delivers or reads it, so that no event waits for another one's commit.

-- No foreign key to users: it would lock the reader's row in every transaction that tells somebody something.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  kind text not null,
  -- Names the event: telling twice tells once.
  source text not null check (length(source) between 1 and 200),
  facts jsonb not null,
  link text not null check (link like '/%'),
  listing_id uuid,
  happened_at timestamptz not null default app_now(),
  -- Whether it stands in the list at the bell.
  in_app boolean not null,
  -- Its place there, without gaps, and the moment that it was given. Both rise together: who has read up to a moment misses nothing later.
  seq integer check (seq > 0),
  created_at timestamptz,
  read_at timestamptz,
  -- The channels were decided: what is due by email or push has its time below.
  delivered_at timestamptz,
  email_due_at timestamptz,
  -- The job that collects it into a digest: no other one does.
  email_job bigint,
  emailed_at timestamptz,
  push_due_at timestamptz,
  pushed_at timestamptz,
  constraint notification_once unique (user_id, kind, source),
  constraint notification_place check ((seq is null) = (created_at is null) and (seq is null or in_app)),
  constraint notification_email check (emailed_at is null or email_due_at is not null),
  constraint notification_push check (pushed_at is null or push_due_at is not null)
) with (fillfactor = 80);

create unique index notifications_place on notifications (user_id, seq) where seq is not null;
create index notifications_created on notifications (user_id, created_at) where seq is not null;
create index notifications_unplaced on notifications (user_id) where seq is null and in_app;
create index notifications_unread on notifications (user_id) where read_at is null and in_app;
create index notifications_undelivered on notifications (happened_at) where delivered_at is null;
create index notifications_email_due on notifications (user_id, email_due_at) where email_due_at is not null and emailed_at is null;
create index notifications_push_due on notifications (user_id, push_due_at) where push_due_at is not null and pushed_at is null;
create index notifications_age on notifications (happened_at);

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  -- kind → channel → boolean, where it differs from the default
  kinds jsonb not null default '{}',
  -- London's clock; both or neither.
  quiet_from time,
  quiet_to time,
  -- Matches once a day instead of once an hour.
  digest boolean not null default false,
  constraint quiet_hours check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null or quiet_from <> quiet_to))
);

-- A browser that agreed to push messages. It belongs to whoever subscribed in it last.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default app_now()
);

create index push_subscriptions_user on push_subscriptions (user_id);

-- Leaders who were outbid, until they are told. Written with the bids: no key, no index beside its own.
create table outbids (
  id bigint generated always as identity primary key,
  listing_id uuid not null,
  user_id uuid not null,
  -- The bid that took the lead.
  seq integer not null
);

grant select, insert, update, delete on notifications, notification_settings, push_subscriptions, outbids to yardbid_app;

-- The prompt to complete the settings ends when they are saved, or when it is dismissed.
alter table users add column notification_call_ended_at timestamptz;

-- Where a page of the list begins and ends for somebody who turns pages while notifications arrive: what page 1 showed as the newest.
alter table sessions add column notifications_until integer;

-- Gives the placeless notifications of a user their places. One caller at a time for each user, until its commit.
create function place_notifications(reader uuid) returns integer
language plpgsql as $$
declare
  last_seq integer;
  last_at timestamptz;
  placed integer;
begin
  perform pg_advisory_xact_lock(7261027, hashtext(reader::text));
  select coalesce(max(seq), 0) into last_seq from notifications where user_id = reader and seq is not null;
  select created_at into last_at from notifications where user_id = reader and seq = last_seq;
  with waiting as (
    select id, row_number() over (order by happened_at, id)::integer as nth
    from notifications
    where user_id = reader and seq is null and in_app
  ), clock as materialized (
    -- whole milliseconds, as they are sent; later than everything before, also when the clock was set back
    select greatest(date_trunc('milliseconds', app_now()), coalesce(last_at + interval '1 millisecond', '-infinity')) as now
  )
  update notifications n
  set seq = last_seq + nth, created_at = clock.now + (nth - 1) * interval '1 millisecond'
  from waiting, clock
  where n.id = waiting.id;
  get diagnostics placed = row_count;
  return placed;
end $$;

-- What a reader sees after it is whole: every place given so far is committed, and what is placed later has a moment that is not before
-- the answer. Writes nothing while nothing waits.
create function settle_notifications(reader uuid) returns timestamptz
language plpgsql as $$
begin
  if exists (select from notifications where user_id = reader and seq is null and in_app) then
    perform place_notifications(reader);
  else
    perform pg_advisory_xact_lock_shared(7261027, hashtext(reader::text));
  end if;
  return date_trunc('milliseconds', app_now());
end $$;

create function count_unread(reader uuid) returns integer
language sql stable
-- a badge says 99+ long before
as $$ select count(*)::integer from (select from notifications where user_id = reader and read_at is null and in_app limit 1000) as unread $$;

-- A poll in one call: what was placed since a moment, newest first.
create function poll_notifications(reader uuid, since timestamptz, skipped integer, most integer)
returns table (now timestamptz, unread integer, total integer, newest_at timestamptz, found jsonb)
language plpgsql as $$
declare
  settled_at timestamptz := settle_notifications(reader);
begin
  return query
    select settled_at, count_unread(reader), counted.total, counted.newest_at,
           (select coalesce(jsonb_agg(to_jsonb(n) order by n.seq desc), '[]')
            from (select *
                  from notifications p
                  where p.user_id = reader and p.seq is not null and p.created_at >= since
                  order by p.seq desc
                  limit most offset skipped) as n)
    from (select count(*)::integer as total, max(c.created_at) as newest_at
          from notifications c
          where c.user_id = reader and c.seq is not null and c.created_at >= since) as counted;
end $$;
