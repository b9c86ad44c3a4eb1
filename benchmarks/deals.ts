import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { atMost, type Benchmark, type Figure } from '#benchmarks/figures.ts'
import { findViolations } from '#database/check.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { APP_ROLE, migrate } from '#database/migrate.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { bid, clientOf, type Merchant } from '#tests/support/auctions/sale.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { fillBalance, newBuyer, newSeller, paid, pay, PRICE, sold, statusOf } from '#tests/support/payments/sale-money.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'
import { paysByCard, plays } from '#tests/support/sales/play.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// What a whole sale costs the server, from the hammer to the payout: requests of the two people, calls to the payment provider, statements
// and the time that they take on a PostgreSQL that keeps what it commits. And payments that are all confirmed at the same moment.

const sizes = { full: { deals: 20, payments: 200 }, quick: { deals: 3, payments: 20 } }
const BUYERS = 20
const AVAILABLE_AT_ONCE = '4000000000000077'
// under the rate limit of one buyer, and on a machine that is measured by nothing yet
const AT_ONCE = 5

export const run: Benchmark = async ({ isQuick, say }) => {
  const size = isQuick ? sizes.quick : sizes.full
  const folder = await scratchFolder('bench-deals')
  const postgres = await startCounting(join(folder, 'postgres'))
  await migrate(postgres.url)
  const database = { url: postgres.url, drop: async () => undefined }
  // in its own process, so that the provider's work is not counted as the server's
  const provider = fork(new URL('deals-provider.ts', import.meta.url), [postgres.url])
  const [speakTo] = (await once(provider, 'message')) as [string]
  const yard = await openYard({ speakTo, killable: { database, connect: connectTo } })
  const postTo = (url: string) => {
    yard.bank.setWebhook(url)
    provider.send(url)
  }
  postTo(`${yard.url}/stripe/webhook`)
  try {
    await fillBalance(yard)
    const seller = await newSeller(yard)
    const whole = await wholeSales(yard, seller, size.deals)
    say(`${size.deals} whole sales were played`)
    const burst = await paymentsAtOnce(yard, seller, { count: size.payments, postTo, say })
    assert.deepEqual(await findViolations(yard.owner), [])
    return [...whole, ...burst]
  } finally {
    await yard.close()
    provider.kill()
    await once(provider, 'exit')
    await postgres.stop()
  }
}

async function wholeSales(yard: Yard, seller: Merchant, count: number): Promise<Figure[]> {
  const buyer = await newBuyer(yard)
  await yard.owner.query('create extension if not exists pg_stat_statements')
  await yard.owner.query('select pg_stat_statements_reset()')
  const calls = { people: 0, webhooks: 0, provider: 0 }
  const countCall = () => void calls.provider++
  const countRequest = ({ url }: IncomingMessage) => void (url === '/stripe/webhook' ? calls.webhooks++ : calls.people++)
  yard.payment.stripe.on('response', countCall)
  yard.app.server.on('request', countRequest)
  for (let nth = 0; nth < count; nth++) {
    const id = await sold(yard, seller, buyer, { weight_kg: 1_000 })
    await paysByCard(yard, buyer, id)
    await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
    await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
    await plays(yard, buyer, id, 'accept_goods', 'ExchangeComplete')
  }
  await yard.bankSettled()
  yard.payment.stripe.off('response', countCall)
  yard.app.server.off('request', countRequest)
  const asked = await askedOfDatabase(yard.owner)
  const { rows } = await yard.owner.query<{ count: number }>(`select count(*)::int from seller_payouts where status = 'done'`)
  assert.equal(rows[0]?.count, count, 'every seller was paid')
  const perDeal = (value: number) => (value / count).toFixed(0)
  return [
    { what: 'a whole sale: requests of its people, webhooks', measured: `${perDeal(calls.people)}, ${perDeal(calls.webhooks)}` },
    { what: 'a whole sale: calls to the payment provider', measured: perDeal(calls.provider) },
    { what: 'a whole sale: statements', measured: perDeal(asked.statements) },
    { what: 'a whole sale: database time', measured: `${perDeal(asked.ms)} ms` },
  ]
}

/** A PostgreSQL that counts statements by role. */
async function startCounting(dir: string): ReturnType<typeof startPostgres> {
  const first = await startPostgres({ dir })
  const owner = await connectTo(first.url)
  await owner.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await owner.end()
  await first.stop()
  return startPostgres({ dir })
}

/** By the product's own role, with the looks of its clock that find nothing. */
async function askedOfDatabase(owner: pg.Client): Promise<{ statements: number; ms: number }> {
  const { rows } = await owner.query<{ statements: number; ms: number }>(
    `select sum(calls)::int as statements, sum(total_exec_time)::float8 as ms from pg_stat_statements where userid = '${APP_ROLE}'::regrole`,
  )
  assert.ok(rows[0])
  return rows[0]
}

type Post = { body: Buffer; headers: IncomingHttpHeaders }

/** Every buyer confirms; what the provider has to say of it is kept, and then comes at once. */
async function paymentsAtOnce(
  yard: Yard,
  seller: Merchant,
  { count, postTo, say }: { count: number; postTo: (url: string) => void; say: (text: string) => void },
): Promise<Figure[]> {
  const buyers: Merchant[] = []
  for (let nth = 0; nth < Math.min(BUYERS, count); nth++) buyers.push(await newBuyer(yard))
  const ids = await won(yard, seller, { buyers, count })
  const secrets: string[] = []
  for (const [nth, id] of ids.entries()) {
    const buyer = buyers[nth % buyers.length] as Merchant
    secrets.push((await paid(pay({ ...buyer, client: await clientOf(yard, buyer.id) }, id, 'card'))).client_secret)
  }
  await yard.bankSettled()
  say(`${count} payments were begun`)
  const posts: Post[] = []
  const ear = createServer(async (request, answer) => {
    posts.push({ body: await buffer(request), headers: request.headers })
    answer.end('{}')
  }).listen(0, '127.0.0.1')
  await once(ear, 'listening')
  postTo(`http://127.0.0.1:${(ear.address() as AddressInfo).port}/`)
  for (let from = 0; from < secrets.length; from += AT_ONCE)
    await Promise.all(secrets.slice(from, from + AT_ONCE).map((secret) => payWithCard(yard.bank, secret, AVAILABLE_AT_ONCE)))
  await yard.bank.settled()
  postTo(`${yard.url}/stripe/webhook`)
  say(`${posts.length} events of ${count} payments are posted at once`)
  const began = performance.now()
  await Promise.all(posts.map((post) => deliver(yard, post)))
  const answered = performance.now() - began
  const events = posts.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id)
  const open = () =>
    yard.owner.query(
      `select from listings where id = any($1::uuid[]) and status = 'PendingPayment'
       union all
       select from provider_events where id = any($2) and applied_at is null`,
      [ids, events],
    )
  while ((await open()).rowCount) await pause(20)
  const applied = performance.now() - began
  await yard.bankSettled()
  ear.close()
  ear.closeAllConnections()
  for (const id of ids) assert.equal(await statusOf(yard, id), 'DocumentsRequired')
  return [
    { what: `${posts.length} events of ${count} payments: all are answered after`, measured: `${(answered / 1_000).toFixed(2)} s` },
    atMost(`${count} payments confirmed at once: all are applied after`, applied / 1_000, 5, 's'),
  ]
}

async function won(yard: Yard, seller: Merchant, { buyers, count }: { buyers: readonly Merchant[]; count: number }): Promise<string[]> {
  const ids: string[] = []
  for (let nth = 0; nth < count; nth++) {
    const id = await newListing(yard.owner, seller.id)
    await bid((buyers[nth % buyers.length] as Merchant).client, id, PRICE)
    ids.push(id)
  }
  await yard.owner.query(
    `update listings set expires_at = past, first_expires_at = past
     from (select date_trunc('milliseconds', app_now()) as past) as t where id = any($1::uuid[])`,
    [ids],
  )
  const open = () => yard.owner.query(`select from listings where id = any($1::uuid[]) and status = 'Active'`, [ids])
  while ((await open()).rowCount) await pause(20)
  await yard.bankSettled()
  return ids
}

async function deliver(yard: Yard, { body, headers }: Post): Promise<void> {
  const { status } = await fetch(`${yard.url}/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': String(headers['stripe-signature']) },
    body: new Uint8Array(body),
  })
  assert.equal(status, 200)
}
