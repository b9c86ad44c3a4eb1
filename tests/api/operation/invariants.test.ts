import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { settings } from '#contract/settings.ts'
import { findViolations } from '#database/check.ts'
import { soundAuctions, type SoundAuctions } from '#tests/support/auctions/sound-auctions.ts'
import { paymentBreaks, soundPayments } from '#tests/support/payments/sound-payments.ts'
import { saleBreaks, soundSale, type SoundSale } from '#tests/support/payments/sound-sale.ts'
import { paperBreaks, soundPapers } from '#tests/support/payments/sound-papers.ts'
import { marketBreaks, soundMarket } from '#tests/support/sound-market.ts'
import { notificationBreaks, soundNotifications } from '#tests/support/sound-notifications.ts'
import { chatBreaks, soundChat } from '#tests/support/sound-chat.ts'
import { auditBreaks, soundAudit } from '#tests/support/sound-audit.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

// Each query of database/invariants.sql is shown to fail: one thing is broken on purpose, and that rule alone is reported.

let database: FreshDatabase
let owner: pg.Client
let made: SoundAuctions
let sale: SoundSale

before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  made = await soundAuctions(owner, database.url)
  await soundPayments(owner, made.ann)
  sale = await soundSale(owner, database.url, { seller: made.seller, buyer: made.bob, admin: made.ann })
  await soundPapers(owner, made.sold)
  await soundMarket(owner, made.seller, made.bob)
  await soundNotifications(owner, made.ann)
  await soundAudit(owner, made.ann)
  await soundChat(owner, { listing: made.active, owner: made.seller, other: made.ann })
})
after(async () => {
  await owner.end()
  await database.drop()
})

test('nothing is broken before something is', async () => assert.deepEqual(await findViolations(owner), []))

type Break = [rule: string, how: () => string[]]

const breaks: Break[] = [
  ['58: accounts: nobody who is deleted', () => [`update users set deleted_at = app_now() where id = '${made.ann}'`]],
  ['58: accounts: nobody who is deleted', () => [`update users set deleted_at = app_now() where id = '${made.seller}'`]],
  ['1: bids: every amount', () => ['delete from idempotent_answers', `update bids set amount = 0 where id = '${made.bids[2]}'`]],
  ['2: bids: prices begin', () => [`update listings set start_price = 10001 where id = '${made.active}'`]],
  ['2: bids: prices begin', () => [`update bids set price_after = 9999 where id = '${made.bids[1]}'`]],
  ['2: bids: prices begin', () => [`update bids set price_after = 10000 where id = '${made.bids[1]}'`]],
  ['2: bids: a price that rises', () => [`update bids set price_after = 10499 where id = '${made.bids[1]}'`]],
  ['3: bids: the sequence', () => [`update bids set seq = 4 where id = '${made.bids[2]}'`]],
  ['3: bids: the sequence', () => [`update bids set seq = seq + 1 where listing_id = '${made.active}'`]],
  ['4: listings: price, leader', () => [`update listings set bid_count = 7 where id = '${made.active}'`]],
  ['4: listings: price, leader', () => [`update listings set current_price = 19999 where id = '${made.active}'`]],
  ['4: listings: the leader', () => [`update listings set leader_max = 99999 where id = '${made.active}'`]],
  ['4: listings: the leader', () => [`update listings set leading_bid_id = '${made.bids[0]}' where id = '${made.active}'`]],
  ['5: bids: none came', () => [`update listings set starts_at = app_now() + interval '1 hour' where id = '${made.active}'`]],
  ['5: bids: none came', () => [`update bids set expires_at = accepted_at where listing_id = '${made.single}'`]],
  ['6: bids: each came', () => [`update bids set accepted_at = accepted_at - interval '1 minute' where id = '${made.bids[2]}'`]],
  ['7: bids: nobody', () => [`update users set payment_account_id = 'acct_${made.seller}' where id = '${made.bob}'`]],
  [
    '8: answers: one that says',
    () => [
      `update idempotent_answers set answer = jsonb_set(answer, '{bid,amount}', '1') where answer -> 'bid' ->> 'id' = '${made.bids[1]}'`,
    ],
  ],
  [
    '8: answers: one that says',
    () => [
      `update idempotent_answers set answer = jsonb_set(answer, '{bid,id}', '"${randomUUID()}"') where answer -> 'bid' ->> 'id' = '${made.bids[1]}'`,
    ],
  ],
  [
    '9: answers: no bid',
    () => [
      `insert into idempotent_answers (user_id, key, body_hash, answer) select user_id, 'another', body_hash, answer from idempotent_answers where answer -> 'bid' ->> 'id' = '${made.bids[1]}'`,
    ],
  ],
  ['13: bids: the end', () => [`update bids set expires_at = expires_at - interval '1 second' where id = '${made.bids[1]}'`]],
  ['14: standings: every', () => [`update bid_standings set status = 'Outbid' where listing_id = '${made.active}'`]],
  ['14: standings: every', () => [`update bid_standings set status = 'Active' where listing_id = '${made.active}'`]],
  ['14: standings: every', () => [`delete from bid_standings where listing_id = '${made.active}' and bidder_number = 2`]],
  ['15: standings: each', () => [`update bid_standings set latest_bid_id = '${made.bids[0]}' where latest_bid_id = '${made.bids[2]}'`]],
  ['15: standings: each', () => [`update bid_standings set max_amount = 1 where latest_bid_id = '${made.bids[2]}'`]],
  ['15: standings: each', () => [`update bid_standings set bidder_number = 9 where latest_bid_id = '${made.bids[2]}'`]],
  ['16: listings: what has ended', () => [`update listings set expires_at = app_now() - interval '6 seconds' where id = '${made.quiet}'`]],
  ['17: awards: at most one', () => [award(made.sold, made.bob, 'offered')]],
  ['18: listings: one that ended sold', () => [`update awards set price = price + 1`]],
  ['18: listings: one that ended sold', () => [`delete from awards`]],
  ['18: listings: one that ended sold', () => [`update listings set reservation_price = current_price + 1 where id = '${made.sold}'`]],
  ['18: listings: one that did not', () => [award(made.below, made.ann, 'pending_payment')]],
  ['18: listings: one that did not', () => [`update listings set can_offer_at_reservation_price = true where id = '${made.sold}'`]],
  [
    '18: listings: how one ended',
    () => [
      `update listings set can_offer_at_reservation_price = false where id = '${made.below}'`,
      `update listing_events set step = 'end_without_bid' where listing_id = '${made.below}'`,
    ],
  ],
  ['18: listings: how one ended', () => [`update listings set reservation_price = null where id = '${made.below}'`]],
  ['20: listings: each ends', () => [event(made.unsold, 2, 'end_without_bid', 'Expired', 'Expired', 'time')]],
  ['21: listings: the events', () => [`update listings set status = 'HasAdminIssue' where id = '${made.unsold}'`]],
  ['21: listings: the events', () => [event(made.unsold, 3, 'relist', 'Expired', 'Expired', 'seller', made.seller)]],
  [
    '21: listings: the events',
    () => [
      event(made.unsold, 2, 'raise_issue', 'Active', 'HasAdminIssue', 'admin', made.ann),
      `update listings set status = 'HasAdminIssue' where id = '${made.unsold}'`,
    ],
  ],
  ['21: events: one actor', () => [`update listing_events set actor_id = '${made.ann}' where listing_id = '${made.unsold}'`]],
  ['21: events: one actor', () => [event(made.unsold, 2, 'relist', 'Expired', 'Expired', 'seller', made.ann)]],
  [
    '22: events: what is final',
    () => [
      event(made.unsold, 2, 'paid', 'Expired', 'DocumentsRequired', 'provider'),
      `update listings set status = 'DocumentsRequired' where id = '${made.unsold}'`,
    ],
  ],
  [
    '23: bids: none was accepted',
    () => [
      event(made.active, 3, 'raise_issue', 'Active', 'HasAdminIssue', 'admin', made.ann, made.bids[0]),
      event(made.active, 4, 'release', 'HasAdminIssue', 'Active', 'admin', made.ann, made.bids[2]),
    ],
  ],
  ['50: uploads: what a listing shows', () => [`update storage_objects set owner_id = '${made.ann}' where id = '${made.photo}'`]],
  ['50: uploads: what a listing shows', () => [`update storage_objects set state = 'deleted' where id = '${made.photo}'`]],
  [
    '50: uploads: a listing has ten',
    () => [
      `with more as (
         insert into storage_objects (owner_id, upload_kind, filename, mime_type, file_size, state, object_key, sha256, ready_at)
         select owner_id, 1, filename, mime_type, 1, 'ready', 'ready/' || nth, sha256, ready_at from storage_objects, generate_series(2, 11) as nth where id = '${made.photo}'
         returning id
       )
       insert into listing_media (listing_id, storage_object_id, position) select '${made.active}', id, 1 + row_number() over () from more`,
    ],
  ],
  ['50: uploads: the state', () => [`update storage_objects set state = 'lost' where id = '${made.unlinked}'`]],
  ['50: uploads: the state', () => [`update storage_objects set sha256 = null where id = '${made.unlinked}'`]],
  ['50: uploads: a merchant document', () => [paper('other', 'pending')]],
  [
    '50: uploads: a user has five',
    () => [
      `insert into merchant_documents (user_id, storage_object_id, kind) select '${made.ann}', gen_random_uuid(), 'other' from generate_series(1, 6)`,
      `update users set licence_status = 'none' where id = '${made.ann}'`,
    ],
  ],
  ['10: licences: whoever has documents', () => [record(`app_now() + interval '1 day'`)]],
  ['10: licences: whoever has documents', () => [record('null'), `update users set licence_status = 'pending' where id = '${made.ann}'`]],
  [
    '10: licences: whoever has documents',
    () => [`insert into merchant_documents (user_id, kind, status) values ('${made.ann}', 'other', 'approved')`],
  ],
  ['60: search: what is found', () => ['update listing_search set price = price + 1', 'update listing_prices set price = price + 1']],
  ['60: search: what is found', () => ['delete from listing_prices', 'delete from listing_search']],
  ['60: search: the orders', () => ['update listing_prices set bid_count = bid_count + 1']],
  ...marketBreaks.map(([rule, statements]): Break => [rule, () => statements]),
  ...notificationBreaks.map(([rule, statements]): Break => [rule, () => statements]),
  ...chatBreaks.map(([rule, how]): Break => [rule, () => how({ owner: made.seller, stranger: made.bob })]),
  ...paperBreaks.map(([rule, statements]): Break => [rule, () => statements]),
  ...auditBreaks.map(([rule, sql]): Break => [rule, () => [sql]]),
  ...paymentBreaks.map(([rule, how]): Break => [rule, () => how(made.ann)]),
  ...saleBreaks.map(([rule, how]): Break => [rule, () => how(sale)]),
]

breaks.forEach(([rule, how], nth) => {
  test(`the check reports ‘${rule} …’ and nothing else (${nth + 1})`, async () => {
    await owner.query('begin')
    try {
      await owner.query(loosen)
      for (const sql of how()) assert.ok((await owner.query(sql)).rowCount, `nothing was broken by: ${sql}`)
      const reported = (await findViolations(owner)).map((violation) => violation.rule)
      assert.equal(reported.length, 1, reported.join('\n'))
      assert.ok(reported[0]?.startsWith(rule), reported[0])
    } finally {
      await owner.query('rollback')
    }
  })
})

const sql = await readFile(new URL('../../../database/invariants.sql', import.meta.url), 'utf8')

test('every rule of invariants.sql is broken here once at least, and has its number', () => {
  const rules = [...sql.matchAll(/^-- (.+)$/gm)].slice(1).map(([, rule = '']) => rule)
  assert.ok(rules.length > 20)
  for (const rule of rules) {
    assert.match(rule, /^\d+: /)
    assert.equal(
      breaks.some(([start]) => rule.startsWith(start)),
      true,
      rule,
    )
  }
})

test('2: the steps of invariants.sql are the defaults of RULES §3', () => {
  const tables = [...sql.matchAll(/jsonb '(\[.+\])'/g)].map(([, text = '']) => JSON.parse(text))
  assert.deepEqual(tables, [settings.bid_steps_lot.default, settings.bid_steps_tonne.default])
})

test('2: after a change of the steps, only bids that came later are judged by the new ones', async () => {
  await owner.query('begin')
  try {
    const steps = JSON.stringify([{ below: null, step: 1_000_00 }])
    await owner.query(`insert into settings (key, value) values ('bid_steps_lot', $1)`, [steps])
    assert.deepEqual(await findViolations(owner), [])
    await owner.query(`update settings set updated_at = app_now() - interval '1 day'`)
    assert.deepEqual((await findViolations(owner)).length, 1)
  } finally {
    await owner.query('rollback')
  }
})

/** A document of ann's, whose licence is approved without end, with a file that is no document. */
const paper = (kind: string, status: string) =>
  `with filed as (
     insert into merchant_documents (user_id, storage_object_id, kind, status) values ('${made.ann}', '${made.unlinked}', '${kind}', '${status}') returning user_id
   )
   update users set licence_status = 'none' from filed where id = filed.user_id`

const record = (ends: string) =>
  `insert into merchant_documents (user_id, kind, status, expires_at, reviewed_at) values ('${made.ann}', 'scrap_dealer_licence', 'approved', ${ends}, app_now())`

const award = (listing: string, bidder: string, status: string) =>
  `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat, vat_rate, goods, vat, total)
   select listing_id, bidder_id, latest_bid_id, max_amount, '${status}', false, 20, max_amount, 0, max_amount from bid_standings where listing_id = '${listing}' and bidder_id = '${bidder}'`

/** At the time of a bid, if one is given. */
const event = (
  ...[listing, seq, step, from, to, actor, actorId, bid]: [string, number, string, string, string, string, string?, string?]
) =>
  `insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id, at)
   values ('${listing}', ${seq}, '${step}', '${from}', '${to}', '${actor}', ${actorId ? `'${actorId}'` : 'null'},
           ${bid ? `(select accepted_at from bids where id = '${bid}')` : 'app_now()'})`

// what the database itself refuses must be broken too: without its constraints, until the rollback
const loosen = `
  do $$
  declare held record;
  begin
    for held in
      select conrelid::regclass as place, conname
      from pg_constraint
      where contype in ('c', 'f', 'u') and conrelid <> 0 and connamespace = 'public'::regnamespace
      order by contype = 'f' desc
    loop
      execute format('alter table %s drop constraint %I', held.place, held.conname);
    end loop;
    drop index one_open_award, one_leader, one_winner, one_live_subscription, one_payment_of_a_purpose, one_captured_fee, one_holding_fee;
    drop trigger refund_within_charge on refunds;
    drop trigger drawn_once on papers;
    drop trigger completed_once on scrap_records;
    drop trigger never_changed on audit_entries;
  end $$`
