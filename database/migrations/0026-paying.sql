-- More columns for payments, holding fees, refunds and payouts: which answer of the provider is newest, how often a refund was tried, which
-- fee a renewal replaces, what was kept back of a payout. And a trigger: no charge gives back more than it took.

alter table sale_payments add column read_no bigint not null default 0;

alter table holding_fees
  add column read_no bigint not null default 0,
  -- The authorisation that this one takes the place of: both stand for a moment, so that there is never none.
  add column renews uuid unique references holding_fees;
drop index one_holding_fee;
create unique index one_holding_fee on holding_fees (award_id) where status in ('wanted', 'authorised', 'asks_buyer') and renews is null;

alter table refunds
  add column read_no bigint not null default 0,
  -- A refund that failed is asked for again under a new key.
  add column tries integer not null default 0;

alter table seller_payouts
  add column read_no bigint not null default 0,
  add column failure_reason text,
  -- Kept back of it for what the seller owes from before.
  add column netted integer not null default 0 check (netted between 0 and amount),
  -- What the seller still owed of it, and has paid by that.
  add column recovered integer not null default 0 check (recovered >= 0),
  -- What the ledger owes the seller for it, and how often that was changed.
  add column booked integer not null default 0,
  add column bookings integer not null default 0,
  add check (reversed + receivable + recovered <= amount);

-- Refunds and lost chargebacks of a charge together never exceed the charge. The charge's row is locked, so two refunds at the same moment
-- are counted one after the other.
create function refund_within_charge() returns trigger
language plpgsql as $$
declare
  taken bigint;
  gone bigint;
begin
  if new.charge_id is null or new.status in ('failed', 'cancelled', 'waived') then return new; end if;
  if tg_op = 'UPDATE' and old.amount = new.amount and old.charge_id = new.charge_id and old.status not in ('failed', 'cancelled', 'waived') then
    return new;
  end if;
  select received into taken from sale_payments where charge_id = new.charge_id for update;
  if not found then
    select amount into taken from holding_fees where charge_id = new.charge_id and status = 'captured' for update;
  end if;
  select coalesce(sum(amount), 0) into gone
  from refunds
  where charge_id = new.charge_id and id <> new.id and status not in ('failed', 'cancelled', 'waived');
  gone := gone + coalesce((select sum(amount) from sale_disputes where charge_id = new.charge_id and status = 'lost'), 0);
  if gone + new.amount > coalesce(taken, 0) then
    raise exception 'charge % has % pence left to refund, not %', new.charge_id, coalesce(taken, 0) - gone, new.amount using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger refund_within_charge
before insert or update on refunds
for each row execute function refund_within_charge();

-- By award: what was received for it, and where that went. For the checks and the desk.
create view sale_totals as
select a.id as award_id,
       coalesce((select sum(p.received) from sale_payments p where p.award_id = a.id and p.status = 'succeeded'), 0)::bigint as captured,
       coalesce((
         select sum(r.amount)
         from refunds r
         where r.award_id = a.id and r.charge_id is not null and r.status in ('wanted', 'pending', 'waiting', 'succeeded')
       ), 0)::bigint as refunded,
       -- what was refunded before it was charged back is the platform's loss
       coalesce((
         select sum(least(lost.amount, greatest(0, p.received - back.amount)))
         from sale_payments p
         cross join lateral (
           select coalesce(sum(d.amount), 0) as amount from sale_disputes d where d.charge_id = p.charge_id and d.status = 'lost'
         ) as lost
         cross join lateral (
           select coalesce(sum(r.amount), 0) as amount
           from refunds r
           where r.charge_id = p.charge_id and r.status in ('wanted', 'pending', 'waiting', 'succeeded')
         ) as back
         where p.award_id = a.id
       ), 0)::bigint as charged_back,
       -- what a stopped payout had sent before is being taken back
       coalesce((
         select sum(p.amount - p.reversed - p.receivable - p.recovered)
         from seller_payouts p
         where p.award_id = a.id and p.purpose <> 'holding_fee' and (p.status <> 'stopped' or p.transfer_id is not null)
       ), 0)::bigint as paid_out
from awards a;
grant select on sale_totals to yardbid_app;
