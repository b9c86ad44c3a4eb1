import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newListing } from '#tests/support/auctions/auction.ts'
import { bid, clientOf, endNow, type Merchant } from '#tests/support/auctions/sale.ts'
import { newClient } from '#tests/support/client.ts'
import { closeBalanced } from '#tests/support/payments/paying.ts'
import { fillBalance, FEE, ledgerOf, moneyOf, newBuyer, newSeller, PRICE, statusOf, TOTAL } from '#tests/support/payments/sale-money.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { cutLines, type CutLines, type Point } from '#tests/support/processes/cut-lines.ts'
import { plays } from '#tests/support/sales/play.ts'
import { openYard } from '#tests/support/yard.ts'

// A server that is stopped between any two writes or calls of a sale. Each stop cuts it off at a named point for good; then ten seconds
// pass, the clock stands still, and the next server must bring the sale to the next point. What would take longer than ten seconds is
// never due while the clock stands, and the test waits for it in vain.

const HOURS_TO_PAY = 72
const windows = { payment_window: `${HOURS_TO_PAY}h`, missed_payment_window: '72h', inspection_window: '72h', documents_window: '120h' }
const yard = await openYard({ env: { ROLE: 'web', SETTINGS: JSON.stringify(windows) } })

type Server = { lines: CutLines; url: string; stop: () => Promise<void> }
let server: Server
/** Servers that were cut off end by themselves: they reach nobody. */
const ending: Promise<void>[] = []

after(async () => {
  await clockRuns()
  try {
    await closeBalanced(yard)
  } finally {
    await Promise.all([...ending, end(server)])
  }
})

/** The next server, cut off at this point when it comes there. */
async function next(point?: Point): Promise<Server & { reached: Promise<void> | undefined }> {
  const lines = await cutLines({ databaseUrl: yard.databaseUrl, providerUrl: yard.bank.url })
  const reached = point && lines.cutAt(point)
  const started = await yard.another({ ROLE: 'all' }, lines)
  lines.hasStarted()
  return { lines, reached, ...started }
}

async function end({ lines, stop }: Server): Promise<void> {
  await stop()
  lines.close()
}

/** What it sent before it was cut off is still carried out: after the clock was moved, a lease would be taken at the new time. */
async function lastStatementsDone({ lines: { databasePorts } }: Server): Promise<void> {
  const connected = () => yard.owner.query('select from pg_stat_activity where client_port = any($1::int[])', [[...databasePorts]])
  while ((await connected()).rowCount) await pause(5)
}

let ahead = 0
const setClock = (now: string) =>
  yard.owner.query(`create or replace function app_now() returns timestamptz language sql volatile parallel safe return ${now}`)
const clockRuns = () => setClock(`clock_timestamp() + interval '${ahead} seconds'`)

/** It stands this much later than it is. */
async function clockStands(seconds: number): Promise<void> {
  ahead += seconds
  const { rows } = await yard.owner.query<{ now: string }>(`select (clock_timestamp() + $1::int * interval '1 second')::text as now`, [
    ahead,
  ])
  await setClock(`timestamptz '${rows[0]?.now}'`)
}

type NamedPoint = readonly [name: string, point: Point]

const around = (what: string, point: { commit: string[] } | { statement: string[] } | { call: `${string} /${string}`; sends?: string }) =>
  [
    [`before ${what}`, { at: 'before', ...point }],
    [`after ${what}`, { at: 'after', ...point }],
  ] as const satisfies NamedPoint[]
const step = (name: string) => around(`the commit of the step ${name}`, { commit: ['write steps', `"step":"${name}"`] })
/** The points of a call: its intent, the call itself, its result. */
const callOf = (kind: string, call: { call: `${string} /${string}`; sends?: string }) => [
  ...around(`the commit of the intent ${kind}`, { commit: ['insert into "provider_calls"', kind] }),
  ...around(`the call ${kind}`, call),
  ...around(`the commit of the result of ${kind}`, { commit: ['update "provider_calls" set "status"', '"settled_at"'] }),
]

const REACHED_WITHIN_MS = 300_000

type Stops = {
  title: string
  points: readonly NamedPoint[]
  /** What happens before, with nobody in its way. */
  prepare?: () => Promise<void>
  begin: () => Promise<unknown>
  ends: () => Promise<void>
}

/** Stops one server after the other, each at the next of these points. */
function testStops({ title, points, prepare, begin, ends }: Stops): void {
  test(title, async (t) => {
    await prepare?.()
    let reached: Promise<void> | undefined
    let stopped = 0
    for (const [name, point] of points) {
      await t.test(`stopped ${name}`, { timeout: REACHED_WITHIN_MS }, async () => {
        if (stopped === 0) {
          reached = server.lines.cutAt(point)
          await begin()
        }
        await reached
        ending.push(end(server))
        await lastStatementsDone(server)
        await clockStands(10)
        const following = await next(points[++stopped]?.[1])
        ;({ reached } = following)
        server = following
      })
      // what comes after a point that was not reached is not reached either
      assert.equal(points[stopped - 1]?.[0], name)
    }
    await yard.bankSettled()
    await ends()
    await clockRuns()
  })
}

server = await next()
await fillBalance(yard)
const seller = await newSeller(yard)
const deals = { completed: '', refunded: '', missed: '' }
const buyers: Record<keyof typeof deals, Merchant> = {
  completed: await newBuyer(yard),
  refunded: await newBuyer(yard),
  missed: await newBuyer(yard),
}

async function auctionEnds(deal: keyof typeof deals): Promise<void> {
  deals[deal] = await newListing(yard.owner, seller.id, { weight_kg: 1_000 })
  await bid(buyers[deal].client, deals[deal], PRICE)
  await endNow(yard, deals[deal])
}

async function statusesOf(table: string, deal: keyof typeof deals): Promise<string[]> {
  return (await moneyOf(yard, table, deals[deal])).map(({ status }) => status)
}

testStops({
  title: 'an auction ends and its holding fee is authorised',
  points: [...step('end_sold'), ...callOf('authorise_holding_fee', { call: 'POST /v1/payment_intents', sends: 'holding_fee' })],
  begin: () => auctionEnds('completed'),
  async ends() {
    assert.equal(await statusOf(yard, deals.completed), 'PendingPayment')
    assert.deepEqual(await statusesOf('holding_fees', 'completed'), ['authorised'])
  },
})

const payKeys = { completed: randomUUID(), refunded: randomUUID(), missed: randomUUID() }
/** The buyer asks the server that is about to be stopped. */
async function asksToPay(deal: keyof typeof deals) {
  const { cookies } = await clientOf(yard, buyers[deal].id)
  return newClient(server.url, Object.fromEntries(cookies)).post(
    `/api/v1/listings/${deals[deal]}/pay`,
    { method: 'card' },
    { 'idempotency-key': payKeys[deal] },
  )
}

const [beforePay, afterPay] = step('pay')

testStops({
  title: 'a buyer asks to pay, and the request is lost',
  points: [beforePay],
  begin: async () => void asksToPay('completed').catch(() => undefined),
  async ends() {
    assert.deepEqual(await statusesOf('sale_payments', 'completed'), [])
  },
})

let clientSecret: string

testStops({
  title: 'a buyer asks to pay, and the answer is lost',
  points: [afterPay, ...callOf('create_payment', { call: 'POST /v1/payment_intents', sends: 'payment_id' })],
  begin: async () => void asksToPay('completed').catch(() => undefined),
  async ends() {
    assert.deepEqual(await statusesOf('sale_payments', 'completed'), ['open'])
    const { status, body } = await asksToPay('completed')
    assert.equal(status, 200, JSON.stringify(body))
    clientSecret = body.data.client_secret
    assert.deepEqual(await statusesOf('sale_payments', 'completed'), ['open'])
  },
})

// money that needs no days to become available
const AVAILABLE_AT_ONCE = '4000000000000077'

testStops({
  title: 'a payment arrives: its row, the step of the sale, the invoice',
  points: [
    ...around('the commit of the payment', { commit: ['update "sale_payments"'] }),
    ...step('paid'),
    ...around('the row of the paper that was drawn', { statement: ['update "papers"'] }),
  ],
  begin: () => payWithCard(yard.bank, clientSecret, AVAILABLE_AT_ONCE),
  async ends() {
    assert.equal(await statusOf(yard, deals.completed), 'DocumentsRequired')
    assert.deepEqual(await statusesOf('sale_payments', 'completed'), ['succeeded'])
    assert.deepEqual(await statusesOf('holding_fees', 'completed'), ['released'])
    const { rows } = await yard.owner.query('select sha256 is not null as is_drawn from papers where listing_id = $1', [deals.completed])
    assert.ok(rows.length > 0 && rows.every(({ is_drawn }) => is_drawn))
  },
})

const does = async (who: Merchant, deal: keyof typeof deals, action: string, body: object = {}) => {
  const answer = await (await clientOf(yard, who.id)).post(`/api/v1/listings/${deals[deal]}/actions/${action}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

testStops({
  title: 'a sale is completed and the seller is paid',
  points: [
    ...around('the commit of what the ledger owes the seller', {
      commit: ['update "seller_payouts"', 'insert into "ledger_transactions"'],
    }),
    ...callOf('create_transfer', { call: 'POST /v1/transfers' }),
  ],
  async prepare() {
    await plays(yard, seller, deals.completed, 'submit_documents', 'PendingCollection')
    await plays(yard, seller, deals.completed, 'confirm_handover', 'ReceivedGoods')
  },
  begin: () => does(buyers.completed, 'completed', 'accept_goods'),
  async ends() {
    assert.equal(await statusOf(yard, deals.completed), 'ExchangeComplete')
    assert.deepEqual(await statusesOf('seller_payouts', 'completed'), ['done'])
    assert.deepEqual(await ledgerOf(yard, deals.completed), {})
  },
})

testStops({
  title: 'a payment is booked',
  points: around('the commit of its lines in the ledger', { commit: ['insert into "ledger_transactions"'] }),
  async prepare() {
    await auctionEnds('refunded')
    while ((await statusOf(yard, deals.refunded)) === 'Active') await pause(10)
    await yard.bankSettled()
    clientSecret = (await asksToPay('refunded')).body.data.client_secret
  },
  begin: () => payWithCard(yard.bank, clientSecret, AVAILABLE_AT_ONCE),
  async ends() {
    assert.deepEqual(await ledgerOf(yard, deals.refunded), { buyer_funds: -TOTAL })
  },
})

testStops({
  title: 'a sale is cancelled and the buyer is refunded',
  points: callOf('create_refund', { call: 'POST /v1/refunds' }),
  begin: () => does(seller, 'refunded', 'cancel_sale', { reason: 'Sold elsewhere' }),
  async ends() {
    assert.equal(await statusOf(yard, deals.refunded), 'Expired')
    assert.deepEqual(await statusesOf('refunds', 'refunded'), ['succeeded'])
    assert.deepEqual(await ledgerOf(yard, deals.refunded), {})
  },
})

testStops({
  title: 'a payment is missed by the clock, its holding fee is captured',
  points: [...step('miss_payment'), ...callOf('capture_holding_fee', { call: 'POST /v1/payment_intents/[^/]+/capture' })],
  async prepare() {
    await auctionEnds('missed')
    while ((await statusOf(yard, deals.missed)) === 'Active') await pause(10)
    await yard.bankSettled()
  },
  begin: () => clockStands(HOURS_TO_PAY * 3_600 + 1),
  async ends() {
    assert.equal(await statusOf(yard, deals.missed), 'MissedPayment')
    assert.deepEqual(await statusesOf('holding_fees', 'missed'), ['captured'])
    assert.deepEqual(await statusesOf('seller_payouts', 'missed'), ['done'])
    assert.deepEqual(await ledgerOf(yard, deals.missed), { holding_fees: -FEE / 2 })
  },
})
