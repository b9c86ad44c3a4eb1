-- Leaving and coming back: a cancellation that was asked for by deleting the account is taken back when the account is restored.

alter table subscriptions add column cancelled_by_deletion boolean not null default false;

-- Whoever is deleted at this moment may still come back.
update subscriptions s
set cancelled_by_deletion = true
from users u
where u.id = s.user_id
  and u.deleted_at is not null
  and s.ended_at is null
  and s.cancel_at_period_end
  and exists (
    select from provider_calls c
    where c.user_id = u.id
      and c.kind = 'update_subscription'
      and c.status = 'done'
      and c.subject ->> 'subscription_id' = s.id::text
      and c.params ->> 'cancel_at_period_end' = 'true'
      and c.created_at >= u.deleted_at
  );

-- Who was erased before now leaves the provider too, and the cards are forgotten.
update subscriptions s
set card = null
from users u
where u.id = s.user_id and u.erased_at is not null;

insert into jobs (kind, payload)
select 'leave_provider', jsonb_build_object('user_id', id)
from users
where erased_at is not null and (provider_customer_id is not null or payment_account_id is not null);
