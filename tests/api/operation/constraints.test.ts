import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { APP_ROLE } from '#database/migrate.ts'
import { soundAuctions, type SoundAuctions } from '#tests/support/auctions/sound-auctions.ts'
import { freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'

// What the database itself refuses, whatever the application says: tried with raw SQL, as the application's role.

let database: FreshDatabase
let app: pg.Client
let made: SoundAuctions

before(async () => {
  database = await freshDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  made = await soundAuctions(owner, database.url)
  await owner.end()
  app = new pg.Client({ connectionString: database.url, options: `-c role=${APP_ROLE}` })
  await app.connect()
})
after(async () => {
  await app.end()
  await database.drop()
})

async function isRefused(sql: string, why: RegExp): Promise<void> {
  await app.query('begin')
  try {
    await assert.rejects(app.query(sql), why)
  } finally {
    await app.query('rollback')
  }
}

for (const [table, column] of Object.entries({ bids: 'amount', listing_events: 'step', audit_entries: 'act', chat_messages: 'body' })) {
  for (const sql of [
    `update ${table} set ${column} = ${column}`,
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
  ]) {
    test(`12: the application's role may not: ${sql}`, () => isRefused(sql, /permission denied|must be owner/))
  }
}

/** A fourth bid of bob's on the active listing that is right, but for the changes. */
function bid(changes: Record<string, string> = {}): string {
  const row = {
    listing_id: `'${made.active}'`,
    seq: '4',
    bidder_id: `'${made.bob}'`,
    amount: '30000',
    max_amount: '30000',
    price_after: '30000',
    leader_after: `'${made.bob}'`,
    accepted_at: 'app_now()',
    expires_at: `app_now() + interval '1 hour'`,
    ...changes,
  }
  return `insert into bids (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

test('the bid that the next ones break is taken', async () => {
  await app.query('begin')
  assert.equal((await app.query(bid())).rowCount, 1)
  await app.query('rollback')
})

const refusedBids: [string, Record<string, string>, RegExp][] = [
  ['1: a bid of nothing', { amount: '0' }, /bids_amount_check/],
  ['1: a bid below nothing', { amount: '-1' }, /bids_amount_check/],
  ['1: a bid above £10,000,000.00', { amount: '1000000001', max_amount: '1000000001' }, /check constraint/],
  ['1: a bid beyond any integer', { amount: '9223372036854775808', max_amount: '9223372036854775808' }, /integer out of range/],
  ['1: a bid of no amount', { amount: 'null' }, /not-null/],
  ['1: a maximum below its bid', { max_amount: '29999' }, /check constraint/],
  ['1: a price of nothing', { price_after: '0' }, /bids_price_after_check/],
  ['3: a place in the sequence that is taken', { seq: '3' }, /bids_listing_id_seq_key/],
  ['3: a place before the first', { seq: '0' }, /bids_seq_check/],
  ['5: a bid at its end', { expires_at: 'transaction_timestamp()', accepted_at: 'transaction_timestamp()' }, /check constraint/],
  ['7: a bid by a bidder who is nobody', { bidder_id: `'${randomUUID()}'` }, /foreign key/],
]
for (const [what, changes, why] of refusedBids) test(`${what} is refused by the database`, () => isRefused(bid(changes), why))

const award = (bidder: string, status: string) =>
  `insert into awards (listing_id, bidder_id, bid_id, price, status, charges_vat, vat_rate, goods, vat, total) values ('${made.sold}', '${bidder}', '${made.bids[0]}', 1, '${status}', true, 20, 1, 0, 1)`

const refusals: [string, () => string, RegExp][] = [
  [
    '4: a price above the leader’s maximum',
    () => `update listings set current_price = leader_max + 1 where id = '${made.active}'`,
    /check constraint/,
  ],
  ['4: a price without a bid', () => `update listings set current_price = 1 where id = '${made.quiet}'`, /check constraint/],
  ['4: bids without a price', () => `update listings set bid_count = 1 where id = '${made.quiet}'`, /check constraint/],
  ['7: a seller who leads', () => `update listings set leader_id = seller_id where id = '${made.active}'`, /check constraint/],
  [
    '9: a key of one’s own twice',
    () => `insert into idempotent_answers (user_id, key, body_hash, answer) select user_id, key, body_hash, answer from idempotent_answers`,
    /idempotent_answers_pkey/,
  ],
  [
    '13: an end before the first end',
    () => `update listings set expires_at = first_expires_at - interval '1 millisecond' where id = '${made.active}'`,
    /check constraint/,
  ],
  ['14: two leaders', () => `update bid_standings set status = 'Active' where listing_id = '${made.active}'`, /one_leader/],
  ['14: two winners', () => `update bid_standings set status = 'Won' where listing_id = '${made.sold}'`, /one_winner/],
  [
    '14: two standings of one bidder',
    () =>
      `insert into bid_standings select listing_id, bidder_id, bidder_number + 9, latest_bid_id, max_amount, 'Outbid' from bid_standings where listing_id = '${made.active}'`,
    /bid_standings_pkey/,
  ],
  ['17: two open awards', () => award(made.bob, 'offered'), /one_open_award/],
  [
    '17: an award that is offered beside one that is paid',
    () => `update awards set status = 'paid'; ${award(made.bob, 'pending_payment')}`,
    /one_open_award/,
  ],
  [
    '19: a second award to the same bidder',
    () => `update awards set status = 'missed'; ${award(made.ann, 'offered')}`,
    /awards_listing_id_bidder_id_reinstated_key/,
  ],
  ['21: a status that does not exist', () => `update listings set status = 'Sold' where id = '${made.active}'`, /listings_status_check/],
  [
    '21: an event without an actor',
    () => `insert into listing_events (listing_id, seq, step, to_status) values ('${made.active}', 9, 'x', 'Expired')`,
    /not-null/,
  ],
  [
    '21: two events in one place',
    () => `insert into listing_events (listing_id, seq, step, to_status, actor) values ('${made.active}', 1, 'x', 'Expired', 'time')`,
    /listing_events_listing_id_seq_key/,
  ],
  ['50: a state that is none', () => `update storage_objects set state = 'lost' where id = '${made.photo}'`, /storage_objects_state_check/],
  ['50: a ready upload without its hash', () => `update storage_objects set sha256 = null where id = '${made.photo}'`, /check constraint/],
  [
    '50: one photo twice in a listing',
    () => `insert into listing_media (listing_id, storage_object_id, position) select listing_id, storage_object_id, 9 from listing_media`,
    /listing_media_pkey/,
  ],
]
for (const [what, sql, why] of refusals) test(`${what}: refused by the database`, () => isRefused(sql(), why))
