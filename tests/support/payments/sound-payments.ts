import type pg from 'pg'

/** A merchant with a paid subscription by a coupon, a customer, and what the ledger says of it: rows as the product writes them. */
export async function soundPayments(owner: pg.ClientBase, userId: string): Promise<{ payer: string }> {
  await owner.query('begin')
  for (const text of rows) await owner.query(text.replaceAll('$payer', userId))
  await owner.query('commit')
  return { payer: userId }
}

const call = (kind: string, key: string, params: string, providerId: string, user = `'$payer'`) =>
  `insert into provider_calls (idempotency_key, kind, user_id, params, status, provider_id, attempts, created_at, called_at, settled_at)
   values (${key}, '${kind}', ${user}, '${params}', 'done', '${providerId}', 1, app_now() - interval '2 seconds', app_now() - interval '1 second', app_now())`

const ledger = (source: string, kind: string, lines: [account: string, amount: number][], reverses = 'null') =>
  `with t as (
     insert into ledger_transactions (kind, source, memo, user_id, reverses, occurred_at) values ('${kind}', '${source}', 'x', '$payer', ${reverses}, app_now()) returning id
   )
   insert into ledger_entries (transaction_id, line, account, amount, user_id)
   select id, l.line, l.account, l.amount, '$payer' from t, (values ${lines.map(([account, amount], nth) => `(${nth + 1}, '${account}', ${amount})`).join(', ')}) as l (line, account, amount)`

const rows = [
  call('create_customer', `'customer:$payer'`, '{}', 'cus_sound'),
  call('create_price', `'price:full_16500_month'`, '{"unit_amount": 16500, "recurring": {"interval": "month"}}', 'price_sound', 'null'),
  `insert into coupons (id, code, percent_off, duration, max_redemptions) values ('00000000-0000-4000-8000-00000000c0c0', 'SOUND', 20, 'once', 1)`,
  `insert into subscriptions (id, user_id, provider_id, status, awaits_confirmation, price, coupon_id, trial_ends_at, confirmed_at)
   values ('00000000-0000-4000-8000-000000005b5b', '$payer', 'sub_sound', 'active', false, 16500, '00000000-0000-4000-8000-00000000c0c0', app_now(), app_now())`,
  call('create_subscription', `'subscription:00000000-0000-4000-8000-000000005b5b'`, '{"items": [{"price": "price_sound"}]}', 'sub_sound'),
  `insert into coupon_redemptions (coupon_id, user_id, subscription_id)
   values ('00000000-0000-4000-8000-00000000c0c0', '$payer', '00000000-0000-4000-8000-000000005b5b')`,
  `update users set provider_customer_id = 'cus_sound', trial_used_at = app_now(), tier = 'full' where id = '$payer'`,
  ledger('txn_charge', 'charge', [
    ['provider_clearing', 12_980],
    ['provider_fees', 220],
    ['subscription_income', -13_200],
  ]),
  ledger('txn_refund', 'refund', [
    ['provider_clearing', -1_000],
    ['subscription_income', 1_000],
  ]),
  ledger('wrong', 'correction', [
    ['suspense', 5],
    ['platform_bank', -5],
  ]),
  ledger(
    'wrong:reversed',
    'correction',
    [
      ['suspense', -5],
      ['platform_bank', 5],
    ],
    `(select id from ledger_transactions where source = 'wrong')`,
  ),
]

const entry = (source: string, line: number) =>
  `transaction_id = (select id from ledger_transactions where source = '${source}') and line = ${line}`

/** Each rule of payments, broken. */
export const paymentBreaks: [rule: string, how: (payer: string) => string[]][] = [
  // one line too few of a transaction that sums to nothing else
  [
    '25: ledger: every transaction',
    () => [`insert into ledger_transactions (kind, source, memo, occurred_at) values ('x', 'bare', 'x', app_now())`],
  ],
  [
    '25: ledger: every transaction',
    () => [
      `update ledger_entries set amount = amount + 1 where ${entry('txn_charge', 1)}`,
      `update ledger_entries set amount = amount - 1 where ${entry('txn_refund', 1)}`,
    ],
  ],
  ['25: ledger: every transaction', () => [`update ledger_entries set currency = 'EUR' where ${entry('txn_charge', 1)}`]],
  ['26: ledger: all accounts', () => [`insert into ledger_entries (transaction_id, line, account, amount) values (0, 1, 'suspense', 5)`]],
  ['25: ledger: what reverses', () => [`update ledger_entries set account = 'provider_fees' where ${entry('wrong:reversed', 1)}`]],
  [
    '28: refunds: a user',
    () => [
      `update ledger_entries set amount = 14000 where ${entry('txn_refund', 2)}`,
      `update ledger_entries set amount = -14000 where ${entry('txn_refund', 1)}`,
    ],
  ],
  [
    '38: calls: every call',
    () => [`update provider_calls set called_at = created_at - interval '1 second' where kind = 'create_customer'`],
  ],
  ['38: calls: every call', () => [`update provider_calls set called_at = null where kind = 'create_price'`]],
  ['38: calls: everything that exists', () => [`update provider_calls set idempotency_key = 'x' where kind = 'create_customer'`]],
  ['38: calls: everything that exists', (payer) => [`update users set provider_customer_id = 'cus_other' where id = '${payer}'`]],
  ['38: calls: a subscription', () => [`update subscriptions set provider_id = 'sub_other'`]],
  [
    '38: calls: a subscription',
    () => [
      `update provider_calls set created_at = created_at + interval '1 hour', called_at = app_now() + interval '2 hours', settled_at = app_now() + interval '3 hours' where kind = 'create_subscription'`,
    ],
  ],
  [
    '38: calls: what is unsure',
    (payer) => [
      `insert into provider_calls (idempotency_key, kind, user_id, params, created_at) values ('y', 'use_card', '${payer}', '{}', app_now() - interval '2 hours')`,
    ],
  ],
  [
    '39: subscriptions: at most one',
    (payer) => [`insert into subscriptions (user_id, price, status, awaits_confirmation) values ('${payer}', 16500, 'active', false)`],
  ],
  ['39: subscriptions: each has the price', () => ['update subscriptions set price = 100']],
  ['40: trials: none was had twice', (payer) => [`update users set trial_used_at = null where id = '${payer}'`]],
  [
    '40: trials: none was had twice',
    (payer) => [
      `insert into subscriptions (user_id, price, status, trial_ends_at, confirmed_at, ended_at, created_at)
       values ('${payer}', 16500, 'canceled', app_now(), app_now(), app_now(), app_now() - interval '1 year')`,
    ],
  ],
  ['42: coupons: none was redeemed', () => ['update coupons set max_redemptions = 0']],
  ['42: coupons: a redemption', () => ['delete from coupon_redemptions']],
  ['42: coupons: a redemption', () => [`update coupon_redemptions set at = at + interval '1 hour'`]],
  ['42: coupons: a redemption', () => ['update subscriptions set coupon_id = null']],
  ['43: tiers: who has', (payer) => [`update users set tier = 'basic' where id = '${payer}'`]],
  ['43: tiers: who has', () => ['update subscriptions set awaits_confirmation = true']],
  ['43: tiers: who has', () => [`update subscriptions set status = 'past_due', grace_ends_at = app_now() - interval '1 hour'`]],
]
