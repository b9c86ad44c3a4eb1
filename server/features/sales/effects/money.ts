import { bySql, stepRows, withJob, type Executor } from '#server/features/sales/effects/executor.ts'
import { toInterval } from '#domain/duration.ts'
import { LEAST_REFUND } from '#domain/money.ts'
import { blocked } from '#domain/sales/blocked.ts'
import { refuse } from '#server/http/errors.ts'

// What steps do to the money of a sale: rows that say what is wanted, and jobs that ask the provider for it.

const endFee = (ending: 'release' | 'capture') =>
  bySql(
    withJob(
      'end_holding_fee',
      'holding_fee_id',
      `update holding_fees f
       set ending = '${ending}'
       from ${stepRows}
       where f.award_id = step.award_id and f.ending is null and f.status in ('wanted', 'authorised', 'asks_buyer')
       returning f.id`,
    ),
  )

// Money goes back to the charges it came from, the newest first. Amounts that were charged back are left out, and so are failed refunds,
// which are sent again on their own.
const refundCharges = (when: string) =>
  bySql(
    withJob(
      'send_refund',
      'refund_id',
      `insert into refunds (award_id, user_id, charge_id, amount, reason, status)
     select award_id, bidder_id, charge_id, take, reason, case when take < ${LEAST_REFUND} then 'waived' else 'wanted' end
     from (
       select *, least(rest, greatest(0, wanted - before)) as take
       from (
         select step.award_id, a.bidder_id, p.charge_id, step.step as reason, rest.rest, coalesce(step.refund, a.total::bigint + 1000000000) as wanted,
                coalesce(sum(rest.rest) over (
                  partition by step.award_id order by p.settled_at desc, p.id rows between unbounded preceding and 1 preceding
                ), 0) as before
         from ${stepRows}
         join awards a on a.id = step.award_id
         join sale_payments p on p.award_id = a.id and p.status = 'succeeded'
         cross join lateral (
           select p.amount
             - coalesce((select sum(r.amount) from refunds r where r.charge_id = p.charge_id), 0)
             - coalesce((select sum(d.amount) from sale_disputes d where d.charge_id = p.charge_id and d.status <> 'won'), 0) as rest
         ) as rest
         where rest.rest > 0 and ${when}
       ) as charges
     ) as shares
     where take > 0
     returning id`,
    ),
  )

// our fee comes off the first charge; of one that is charged back nothing is the seller's; a refund that failed is sent again, so it counts
const payOut = (when: string) =>
  withJob(
    'send_payout',
    'payout_id',
    `insert into seller_payouts (award_id, seller_id, charge_id, purpose, amount)
     select award_id, seller_id, charge_id, purpose, rest
     from (
       select step.award_id, step.seller_id, p.charge_id, p.purpose,
              p.amount
                - coalesce((select sum(r.amount) from refunds r where r.charge_id = p.charge_id and r.status <> 'waived'), 0)
                - coalesce((select sum(d.amount) from sale_disputes d where d.charge_id = p.charge_id and d.status <> 'won'), 0)
                - case when row_number() over (partition by step.award_id order by p.settled_at, p.id) = 1 then step.seller_fee else 0 end as rest
       from ${stepRows}
       join sale_payments p on p.award_id = step.award_id and p.status = 'succeeded'
       where ${when}
     ) as charges
     where rest > 0
     on conflict (award_id, charge_id) do nothing
     returning id`,
  )

export const moneyEffects = {
  authorise_holding_fee: bySql(
    withJob(
      'authorise_holding_fee',
      'holding_fee_id',
      `insert into holding_fees (award_id, amount)
       select step.award_id, step.holding_fee
       from ${stepRows}
       returning id`,
    ),
  ),
  release_hold: endFee('release'),
  capture_holding_fee: endFee('capture'),
  // whoever asked for it goes on to ask the provider; if that process has died, the job does
  start_payment: bySql(
    `with begun as (
       insert into sale_payments (award_id, purpose, method, amount)
       select step.award_id, step.payment ->> 'purpose', step.payment ->> 'method', (step.payment ->> 'amount')::int
       from ${stepRows}
       returning id
     )
     insert into jobs (kind, payload, run_at)
     select 'look_at_money', jsonb_build_object('of', 'payment', 'id', id), app_now() + interval '5 seconds'
     from begun`,
  ),
  end_payment: bySql(
    withJob(
      'end_payment',
      'payment_id',
      `select p.id
       from ${stepRows}
       join sale_payments p on p.award_id = step.award_id and p.status in ('wanted', 'open', 'processing')`,
    ),
  ),
  refund_all: refundCharges('true'),
  refund_amount: refundCharges('true'),
  refund_difference: refundCharges('true'),
  resume_refund: refundCharges(`step."to" in ('Expired', 'RemovedByAdmin', 'ReturnComplete')`),
  pay_out: bySql(payOut('true')),
  // of the charge that is disputed: what another one has brought stays the seller's
  stop_payout: bySql(
    `with disputed as (
       select d.charge_id, sum(d.amount) as amount
       from ${stepRows}
       join sale_disputes d on d.award_id = step.award_id and d.heard is null
       group by d.charge_id
     ), stopped as (
       update seller_payouts p
       set status = 'stopped'
       from disputed
       where p.charge_id = disputed.charge_id and p.status in ('wanted', 'waiting')
     )
     insert into jobs (kind, payload)
     select 'reverse_payout', jsonb_build_object('payout_id', p.id, 'amount', least(p.amount - p.reversed, disputed.amount))
     from disputed
     join seller_payouts p on p.charge_id = disputed.charge_id and p.status = 'done' and p.amount > p.reversed`,
  ),
  // a chargeback was won: whatever it stopped, took back or kept from being paid out is the seller's again, once the sale is complete
  resume_payout: bySql(
    withJob(
      'send_payout',
      'payout_id',
      `update seller_payouts p
       set status = 'wanted'
       from ${stepRows}
       where p.award_id = step.award_id and step."to" = 'ExchangeComplete' and (p.status = 'stopped' or p.reversed + p.receivable + p.recovered > 0)
       returning p.id`,
    ),
    payOut(`step."to" = 'ExchangeComplete'`),
  ),
  hear_dispute: bySql(
    `update sale_disputes d
     set heard = case when d.heard is null then 'opened' else d.status end
     from ${stepRows}
     where d.award_id = step.award_id and (d.heard is null or (d.heard = 'opened' and d.status <> 'open'))`,
  ),
  use_deferred_limit: useDeferredLimit,
  start_deferred_payment: bySql(
    `update awards a
     set deferred_expires_at = step.deferred_expires_at
     from ${stepRows}
     where a.id = step.award_id`,
  ),
  block_bidding: bySql(
    `with overdue as (
       update awards a
       set overdue_at = step.at
       from ${stepRows}
       where a.id = step.award_id
       returning a.bidder_id
     )
     update users u
     set bidding_blocked_reason = coalesce(u.bidding_blocked_reason, '${blocked.overdue}')
     where u.id in (select bidder_id from overdue)`,
  ),
  allow_bidding: bySql(
    `update users u
     set bidding_blocked_reason = null
     from ${stepRows}
     join awards a on a.id = step.award_id
     where u.id = a.bidder_id and u.bidding_blocked_reason = '${blocked.overdue}'
       and not exists (
         select from awards other
         join listings l on l.id = other.listing_id
         where other.bidder_id = u.id and other.id <> a.id and other.overdue_at is not null and l.status in ('DeferredPayment', 'HasAdminIssue')
       )`,
  ),
  strike_buyer: strike('buyer', 'buyer_id', 'bidding_blocked_reason', blocked.missedPayments),
  strike_seller: strike('seller', 'seller_id', 'listing_blocked_reason', blocked.cancelledSales),
} satisfies Record<string, Executor>

/** Two purchases at once cannot both take the last of a limit: the buyer's row is locked, and what is left is counted again. */
async function useDeferredLimit(...[client, taken]: Parameters<Executor>): Promise<void> {
  for (const { award_id } of taken) {
    await client.query('select from users where id = (select bidder_id from awards where id = $1) for no key update', [award_id])
    const { rowCount } = await client.query(
      `update awards a
       set deferred_days = u.deferred_days
       from users u
       where a.id = $1 and u.id = a.bidder_id and u.deferred_days is not null
         and a.total + (
           select coalesce(sum(owed.total), 0)
           from awards owed
           join listings l on l.id = owed.listing_id
           where owed.bidder_id = u.id and owed.deferred_days is not null and owed.status = 'paid'
             and l.status not in ('ExchangeComplete', 'ReturnComplete')
         ) <= u.deferred_limit`,
      [award_id],
    )
    if (rowCount === 0) throw refuse('conflict', 'This would go over your limit for paying later. Pay what is open first, or pay now.')
  }
}

/**
 * RULES §5: a warning, and from `strikes_to_block` within `strike_memory` on no more bids or listings until an admin lifts it. The reason
 * takes the place of one that a payment would end.
 */
function strike(role: 'buyer' | 'seller', who: 'buyer_id' | 'seller_id', column: string, reason: string): Executor {
  return async (client, taken) => {
    for (const step of taken) {
      await client.query('insert into strikes (user_id, award_id, role, reason) values ($1, $2, $3, $4)', [
        step[who],
        step.award_id,
        role,
        step.step,
      ])
      await client.query(
        `update users
         set ${column} = $4
         where id = $1 and (
           select count(*)
           from strikes s
           where s.user_id = $1 and s.role = '${role}' and s.lifted_at is null and s.at > app_now() - $3::interval
         ) >= $2`,
        [step[who], step.strikes_to_block, toInterval(step.strike_memory), reason],
      )
    }
  }
}
