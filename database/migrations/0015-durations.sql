-- How many days a listing may run is a setting: the table holds any that can be set.
alter table listings
  drop constraint listings_duration_days_check,
  add constraint listings_duration_days_check check (duration_days between 1 and 365);
