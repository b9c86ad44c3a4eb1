-- The price that is shown is the price that is taken: until when a discount counts, and the credit that the provider takes off first.
alter table subscriptions
  add discount_ends_at timestamptz;

update subscriptions
set discount_ends_at = subscriptions.created_at + make_interval(months => coupons.duration_in_months)
from coupons
where coupons.id = subscriptions.coupon_id
  and subscriptions.has_discount
  and coupons.duration_in_months is not null;

alter table users
  add subscription_credit integer not null default 0 check (subscription_credit >= 0);
