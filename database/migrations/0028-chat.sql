-- Merchant chat (RULES §6): one thread per listing and pair, one side of which is the listing's owner.

create table chat_threads (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings,
  owner_id uuid not null references users,
  other_id uuid not null references users,
  -- The number of the newest message. A sender locks this row, so the numbers have no gap.
  message_count integer not null default 0 check (message_count >= 0),
  -- Everything up to here was read by that side, and how many messages of the other side came since.
  owner_read_seq integer not null default 0 check (owner_read_seq between 0 and message_count),
  other_read_seq integer not null default 0 check (other_read_seq between 0 and message_count),
  owner_unread integer not null default 0 check (owner_unread between 0 and message_count),
  other_unread integer not null default 0 check (other_unread between 0 and message_count),
  last_message_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now(),
  unique (listing_id, other_id),
  check (owner_id <> other_id)
);

-- An inbox is read by its owner's side and by the other's, newest first.
create index chat_threads_owner on chat_threads (owner_id, last_message_at desc, id desc);
create index chat_threads_other on chat_threads (other_id, last_message_at desc, id desc);
create index chat_threads_owner_unread on chat_threads (owner_id) where owner_unread > 0;
create index chat_threads_other_unread on chat_threads (other_id) where other_unread > 0;

-- Append-only, as it was typed: what a reader may not see yet is masked on reading.
create table chat_messages (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references chat_threads,
  seq integer not null check (seq > 0),
  sender_id uuid not null references users,
  body text not null check (length(body) <= 4000),
  -- The sender's idempotency key: a message that is sent again is one row.
  client_key text not null check (length(client_key) between 1 and 200),
  created_at timestamptz not null default app_now(),
  unique (thread_id, seq),
  unique (thread_id, sender_id, client_key)
);

create table chat_attachments (
  message_id uuid not null references chat_messages,
  storage_object_id uuid not null unique references storage_objects,
  position smallint not null check (position between 1 and 5),
  primary key (message_id, position)
);

-- When somebody had read up to which message, for the read marks.
create table chat_reads (
  thread_id uuid not null references chat_threads,
  user_id uuid not null references users,
  up_to_seq integer not null check (up_to_seq > 0),
  at timestamptz not null default app_now(),
  primary key (thread_id, user_id, up_to_seq)
);

-- One table of blocks for bids, chat and market: no bid passes to the blocker, and no new message in either direction.
alter table seller_blocks rename to user_blocks;
alter table user_blocks rename column seller_id to blocker_id;
alter table user_blocks rename constraint seller_blocks_pkey to user_blocks_pkey;
alter table user_blocks add check (blocker_id <> blocked_id);

create index user_blocks_blocked on user_blocks (blocked_id);

create table reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references users,
  about_type text not null,
  about_id uuid not null,
  reason text not null check (length(reason) between 1 and 1000),
  created_at timestamptz not null default app_now(),
  -- the same thing is reported once by each
  unique (reporter_id, about_type, about_id)
);

create index reports_newest on reports (created_at desc, id desc);

grant select, insert, update on chat_threads to yardbid_app;
grant select, insert on chat_messages, chat_attachments, chat_reads, reports to yardbid_app;
