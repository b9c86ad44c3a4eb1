-- Until when the provider's list was compared with the ledger from end to end: what is newer, or was not listed yet, is looked at next.
create table reconciliation (
  is_only boolean primary key default true check (is_only),
  compared_until timestamptz not null
);

grant select, insert, update on reconciliation to yardbid_app;
