-- What the VAT register said of a user's number, each time that it was asked. A sale that waited for it keeps the answer's reference.
create table vat_checks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  vat_number text not null,
  outcome text not null check (outcome in ('valid', 'failed')),
  -- the register's proof that it was asked, and whose number it is by its word
  reference text,
  registered_name text,
  checked_at timestamptz not null default app_now(),
  check (outcome = 'valid' or (reference is null and registered_name is null))
);

create index vat_checks_of_user on vat_checks (user_id, checked_at);

grant select, insert, delete on vat_checks to yardbid_app;

-- The amount is frozen with the winner: whether VAT is charged must not change with the seller's profile.
alter table awards
  add column charges_vat boolean,
  add column vat_check_id uuid references vat_checks;

update awards a
set charges_vat = not seller.not_vat_registered
from listings l
join users seller on seller.id = l.seller_id
where l.id = a.listing_id;

alter table awards alter column charges_vat set not null;

-- Numbers that were given before there was a check are checked now.
insert into jobs (kind, payload)
select 'check_vat_number', jsonb_build_object('user_id', id)
from users
where vat_number is not null and vat_status = 'unchecked' and erased_at is null;
