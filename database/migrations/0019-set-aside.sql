-- RULES §4: clocks of one listing never depend on another. A listing that could not be closed or moved on is set aside until
-- next_try_at; the pause grows with the attempts, and from the third on the back office shows it. A row goes when the listing moves.
create table set_aside_listings (
  listing_id uuid primary key references listings,
  attempts int not null default 1 check (attempts > 0),
  first_failed_at timestamptz not null default app_now(),
  last_failed_at timestamptz not null default app_now(),
  next_try_at timestamptz not null,
  last_error text not null
);

create index set_aside_for_back_office on set_aside_listings (last_failed_at) where attempts >= 3;

grant select, insert, update, delete on set_aside_listings to yardbid_app;

-- What the payment provider tells of is found by these.
create index users_by_payment_account on users (payment_account_id) where payment_account_id is not null;
create index users_by_holding_fee_card on users (holding_fee_card) where holding_fee_card is not null;
create index users_by_subscription_card on users ((subscription_card ->> 'id')) where subscription_card is not null;

-- However many processes plan the clean-up of an hour, there is one of each kind.
create unique index one_clean_up on jobs (kind, run_at) where kind in ('forget_passed', 'forget_uploads');
