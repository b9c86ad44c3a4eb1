-- Jobs that somebody waits for at the screen, such as the e-mail with a link, go before letters, of which thousands may be due at once.

alter table jobs add column urgent boolean not null default false;

create index jobs_next on jobs (urgent desc, greatest(run_at, leased_until)) where failed_at is null;
