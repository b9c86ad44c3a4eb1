-- Jobs that were given up: listed for the back office, newest first, and counted for the metrics.
create index jobs_failed on jobs (failed_at, id) where failed_at is not null;
