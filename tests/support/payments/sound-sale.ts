import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { closeDue } from '#server/clock/due-listings.ts'
import { decideBatch } from '#server/features/bids/batch.ts'
import { defaultRules, newListing, serverPool } from '#tests/support/auctions/auction.ts'

export type SoundSale = { award: string; listing: string; buyer: string }

/** A sale that was won by the product's own hands, paid, refunded in part and completed: rows as the product writes them. */
export async function soundSale(
  owner: pg.ClientBase,
  url: string,
  { seller, buyer, admin }: { seller: string; buyer: string; admin: string },
): Promise<SoundSale> {
  const pool = serverPool(url, 1)
  const client = await pool.connect()
  const listing = await newListing(owner, seller, { starts_at: new Date(Date.now() - 3_600_000) })
  const bid = { listingId: listing, bidderId: buyer, amount: 100_00, max: 100_00, key: randomUUID() }
  await decideBatch(client, [bid], async () => defaultRules)
  await owner.query(
    `update listings set expires_at = past, first_expires_at = past from (select date_trunc('milliseconds', app_now()) as past) as t where id = $1`,
    [listing],
  )
  await closeDue(client)
  client.release()
  await pool.end()
  const { rows: awards } = await owner.query<{ id: string }>('select id from awards where listing_id = $1', [listing])
  const award = awards[0]?.id ?? ''
  await owner.query('begin')
  const names = { $award: award, $listing: listing, $buyer: buyer, $seller: seller, $admin: admin }
  for (const text of rows) await owner.query(Object.entries(names).reduce((sql, [name, id]) => sql.replaceAll(name, id), text))
  await owner.query('commit')
  return { award, listing, buyer }
}

const PAYMENT = '00000000-0000-4000-8000-0000000000a1'
const REFUND = '00000000-0000-4000-8000-0000000000a2'
const PAYOUT = '00000000-0000-4000-8000-0000000000a3'

const call = (kind: string, key: string, providerId: string) =>
  `insert into provider_calls (idempotency_key, kind, params, status, provider_id, attempts, created_at, called_at, settled_at)
   values ('${key}', '${kind}', '{}', 'done', '${providerId}', 1, app_now() - interval '2 seconds', app_now() - interval '1 second', app_now())`

const step = (name: string, from: string, to: string, actor: string, actorId: string) =>
  `insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id)
   select '$listing', max(seq) + 1, '${name}', '${from}', '${to}', '${actor}', ${actorId} from listing_events where listing_id = '$listing'`

const ledger = (source: string, kind: string, lines: [account: string, amount: number][]) =>
  `with t as (
     insert into ledger_transactions (kind, source, memo, user_id, listing_id, occurred_at)
     values ('${kind}', '${source}', 'x', '$buyer', '$listing', app_now()) returning id
   )
   insert into ledger_entries (transaction_id, line, account, amount, user_id)
   select id, l.line, l.account, l.amount, '$buyer'
   from t, (values ${lines.map(([account, amount], nth) => `(${nth + 1}, '${account}', ${amount})`).join(', ')}) as l (line, account, amount)`

const rows = [
  step('paid', 'PendingPayment', 'DocumentsRequired', 'provider', 'null'),
  step('raise_issue', 'DocumentsRequired', 'HasAdminIssue', 'admin', `'$admin'`),
  step('resolve', 'HasAdminIssue', 'ExchangeComplete', 'admin', `'$admin'`),
  `update listings set status = 'ExchangeComplete', due_at = null where id = '$listing'`,
  `update awards set status = 'paid', paid_at = app_now() where id = '$award'`,
  call('create_payment', `payment:${PAYMENT}`, 'pi_sound'),
  `insert into sale_payments (id, award_id, purpose, method, amount, received, status, intent_id, charge_id)
   values ('${PAYMENT}', '$award', 'goods', 'card', 10000, 10000, 'succeeded', 'pi_sound', 'ch_sound')`,
  `insert into provider_calls (idempotency_key, kind, params, status, provider_id, attempts, created_at, called_at, settled_at)
   select 'holding-fee:' || id, 'authorise_holding_fee', '{}', 'done', 'pi_fee', 1, app_now(), app_now(), app_now()
   from holding_fees where award_id = '$award'`,
  `update holding_fees set status = 'released', ending = 'release', intent_id = 'pi_fee', charge_id = 'ch_fee' where award_id = '$award'`,
  call('create_refund', `refund:${REFUND}:0`, 're_sound'),
  `insert into refunds (id, award_id, user_id, charge_id, amount, reason, status, provider_id)
   values ('${REFUND}', '$award', '$buyer', 'ch_sound', 2000, 'x', 'succeeded', 're_sound')`,
  call('create_transfer', `payout:${PAYOUT}`, 'tr_sound'),
  `insert into seller_payouts (id, award_id, seller_id, charge_id, purpose, amount, status, transfer_id, booked, bookings)
   values ('${PAYOUT}', '$award', '$seller', 'ch_sound', 'goods', 8000, 'done', 'tr_sound', 8000, 1)`,
  ledger('txn_sale', 'charge', [
    ['provider_clearing', 10_000],
    ['buyer_funds', -10_000],
  ]),
  ledger('txn_sale_refund', 'refund', [
    ['provider_clearing', -2_000],
    ['buyer_funds', 2_000],
  ]),
  ledger('ccsbtxn_sound', 'cash_funded', [
    ['provider_cash', 500],
    ['unallocated', -500],
  ]),
]

/** Each rule of a sale's money, broken. */
export const saleBreaks: [rule: string, how: (sale: SoundSale) => string[]][] = [
  ['27: sales: no more', () => [`update seller_payouts set amount = 8001 where id = '${PAYOUT}'`]],
  ['27: sales: no more', ({ award }) => [dispute(award, 'goods', 'lost')]],
  ['27: sales: one that is over', () => [`update seller_payouts set amount = 7999 where id = '${PAYOUT}'`]],
  [
    '28: refunds: of no charge',
    () => [
      `update refunds set award_id = null, amount = 10001 where id = '${REFUND}'`,
      `update seller_payouts set amount = 10000 where id = '${PAYOUT}'`,
    ],
  ],
  [
    '29: payments: an award',
    ({ award }) => [
      `update sale_payments set received = 5000 where id = '${PAYMENT}'`,
      `insert into sale_payments (award_id, purpose, method, amount, received, status, charge_id) values ('${award}', 'goods', 'card', 5000, 5000, 'succeeded', 'ch_more')`,
    ],
  ],
  [
    '29: payments: an award',
    ({ award }) => [
      `update holding_fees set status = 'captured' where award_id = '${award}'`,
      `insert into holding_fees (award_id, amount, status) values ('${award}', 2500, 'captured')`,
    ],
  ],
  [
    '30: cash: a buyer',
    () => [
      `update ledger_entries set amount = -amount where transaction_id = (select id from ledger_transactions where source = 'ccsbtxn_sound')`,
    ],
  ],
  [
    '30: cash: a buyer',
    () => [
      `update ledger_entries set account = 'suspense' where account = 'unallocated' and transaction_id = (select id from ledger_transactions where source = 'ccsbtxn_sound')`,
    ],
  ],
  ['32: sales: goods move', ({ award }) => [`update awards set total = 10001, goods = 10001 where id = '${award}'`]],
  [
    '35: payouts: a seller',
    ({ listing }) => [
      `update listing_events set to_status = 'ReturnComplete' where listing_id = '${listing}' and step = 'resolve'`,
      `update listings set status = 'ReturnComplete' where id = '${listing}'`,
    ],
  ],
  ['38: calls: what a sale', () => [`update sale_payments set intent_id = 'pi_other' where id = '${PAYMENT}'`]],
  ['38: calls: what a sale', () => [`update seller_payouts set transfer_id = 'tr_other' where id = '${PAYOUT}'`]],
  ['38: calls: what a sale', () => [`update provider_calls set idempotency_key = 'x' where provider_id = 're_sound'`]],
  ['38: calls: what a sale', ({ award }) => [`update holding_fees set intent_id = 'pi_other' where award_id = '${award}'`]],
]

const dispute = (award: string, purpose: string, status: string) =>
  `insert into sale_disputes (id, award_id, charge_id, purpose, amount, status) values ('dp_sound', '${award}', 'ch_sound', '${purpose}', 1, '${status}')`
