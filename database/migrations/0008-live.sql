-- The outbox is written with every bid, so it costs no more than it must. Its rows live for an hour: keys to listings and users would
-- lock a user's row for each of them (a third of the writing), an index by time is not needed where the ids are in order of time,
-- and what is only written and read back whole need not be taken apart.

alter table live_events
  drop constraint live_events_listing_id_fkey,
  drop constraint live_events_user_id_fkey,
  alter column payload type json;

drop index live_events_at;
