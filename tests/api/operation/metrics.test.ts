import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openPool } from '#server/db/db.ts'
import { exposition } from '#server/metrics/exposition.ts'
import { watchGauges } from '#server/metrics/gauges.ts'
import { openPayment } from '#server/providers/payment.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newBidder, send } from '#tests/support/auctions/bidders.ts'
import { parseExposition, scrape, type Scrape } from '#tests/support/metrics.ts'
import { signUp } from '#tests/support/people.ts'
import { freePort } from '#tests/support/processes/product.ts'
import { openStream } from '#tests/support/stream.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let web: Awaited<ReturnType<Yard['another']>>
before(async () => {
  yard = await openYard()
  web = await yard.another({ METRICS_PORT: '0', ROLE: 'web' })
})
after(() => closeSound(yard))

/** A busy machine may be too slow for the look at the queues, which waits three seconds: then it is asked again. */
async function look(port = web.metricsPort) {
  for (;;) {
    const now = await scrape(port)
    if (now.sum('yardbid_database_up') === 1) return now
  }
}
/** Until it is so: some counts are made a moment after the answer. */
async function until(isSo: (now: Scrape) => boolean): Promise<void> {
  while (!isSo(await look())) await pause(10)
}

test('39: the public port has no metrics, and their port has nothing else', async () => {
  for (const url of [yard.url, web.url]) assert.equal((await fetch(`${url}/metrics`)).status, 404)
  for (const path of ['/', '/healthz', '/api/v1/config'])
    assert.equal((await fetch(`http://127.0.0.1:${web.metricsPort}${path}`)).status, 404)
  assert.equal((await fetch(`http://127.0.0.1:${web.metricsPort}/metrics`, { method: 'POST' })).status, 404)
})

test('a request counts under the pattern of its route and the class of its status, whatever its address says', async () => {
  const of = { method: 'GET', route: '/api/v1/listings/:id', status: '4xx' }
  const earlier = await look()
  for (let nth = 0; nth < 5; nth++) await fetch(`${web.url}/api/v1/listings/${randomUUID()}`)
  for (let nth = 0; nth < 5; nth++) await fetch(`${web.url}/wp-admin/${randomUUID()}.php`)
  const count = 'yardbid_http_request_duration_seconds_count'
  await until((now) => now.sum(count, of) === earlier.sum(count, of) + 5)
  const { samples } = await look()
  assert.deepEqual(
    samples.filter(({ labels }) => /[\da-f]{8}-/.test(JSON.stringify(labels))),
    [],
    'no address is a label',
  )
})

test('bids count by what became of them, and their batches by size and time', async () => {
  const bidder = await newBidder(yard.owner, web.url)
  const listing = await newListing(yard.owner, await newMerchant(yard.owner))
  const earlier = await look()
  const bid = (amount: number) => send(web.url, bidder, { key: randomUUID(), listing, amount, max_amount: amount })
  assert.equal((await bid(100_00)).status, 201)
  assert.equal((await bid(200_00)).status, 201)
  assert.equal((await bid(1)).status, 409)
  const now = await look()
  const moved = (name: string, labels = {}) => now.sum(name, labels) - earlier.sum(name, labels)
  assert.equal(moved('yardbid_bids_total', { outcome: 'accepted' }), 2)
  assert.equal(moved('yardbid_bids_total', { outcome: 'refused' }), 1)
  assert.equal(moved('yardbid_bid_batch_size_sum'), 3)
  assert.equal(moved('yardbid_bid_batch_size_count'), 3)
  assert.equal(moved('yardbid_bid_batch_duration_seconds_count'), 3)
  assert.ok(moved('yardbid_bid_batch_duration_seconds_sum') > 0)
})

test('a listing that closes counts by how late it was', async () => {
  const name = 'yardbid_listing_closing_lag_seconds'
  const earlier = await look()
  const ago = (await yard.owner.query(`select app_now() - interval '1 hour' as ago`)).rows[0].ago
  await newListing(yard.owner, await newMerchant(yard.owner), { expires_at: ago, first_expires_at: ago, starts_at: new Date(ago - 1) })
  yard.wakeClosers()
  await until((now) => now.sum(`${name}_count`) === earlier.sum(`${name}_count`) + 1)
  const now = await look()
  assert.ok(now.sum(`${name}_sum`) - earlier.sum(`${name}_sum`) >= 3_600)
  assert.equal(now.sum(`${name}_bucket`, { le: '600' }), earlier.sum(`${name}_bucket`, { le: '600' }))
})

test('an active listing whose end has passed shows as overdue while nobody can close it', async () => {
  const listing = await newListing(yard.owner, await newMerchant(yard.owner))
  await yard.owner.query(
    `insert into set_aside_listings (listing_id, next_try_at, last_error) values ($1, app_now() + interval '1 day', 'in a test')`,
    [listing],
  )
  await yard.owner.query(
    `update listings
     set starts_at = app_now() - interval '3 hours',
         first_expires_at = date_trunc('milliseconds', app_now() - interval '2 hours'),
         expires_at = date_trunc('milliseconds', app_now() - interval '2 hours')
     where id = $1`,
    [listing],
  )
  const now = await look()
  assert.ok(now.sum('yardbid_listings_overdue_seconds') >= 7_200)
  assert.equal(now.sum('yardbid_listings_set_aside'), 1)
  await yard.owner.query('delete from set_aside_listings where listing_id = $1', [listing])
  yard.wakeClosers()
  await until((later) => later.sum('yardbid_listings_overdue_seconds') === 0 && later.sum('yardbid_listings_set_aside') === 0)
})

test('jobs that are due, late and given up show, and runs count by kind', async () => {
  const done = { kind: 'send_verification', outcome: 'done' }
  const earlier = await look()
  await signUp(yard)
  await until((now) => now.sum('yardbid_jobs_run_total', done) === earlier.sum('yardbid_jobs_run_total', done) + 1)
  await yard.owner.query(
    `insert into jobs (kind, payload, run_at, failed_at) values
       ('invented_later', '{}', app_now() - interval '1 hour', null),
       ('invented_later', '{}', app_now() - interval '2 hours', app_now())`,
  )
  const now = await look()
  assert.ok(now.sum('yardbid_jobs_due') >= 1)
  const age = now.sum('yardbid_jobs_oldest_due_age_seconds')
  assert.ok(age >= 3_600 && age < 7_200, `the one that was given up is not due any more: ${age}`)
  assert.equal(now.sum('yardbid_jobs_failed'), earlier.sum('yardbid_jobs_failed') + 1)
  await yard.owner.query(`delete from jobs where kind = 'invented_later'`)
  await yard.jobsDone()
  await until((later) => later.sum('yardbid_jobs_oldest_due_age_seconds') < 3_600)
})

test('open streams of live prices are counted, and are no requests', async () => {
  const of = { route: '/api/v1/events' }
  const earlier = await look()
  const streams = await Promise.all([1, 2, 3].map(() => openStream(`${web.url}/api/v1/events?topics=listings`)))
  await until((now) => now.sum('yardbid_live_connections') === 3)
  for (const stream of streams) stream.close()
  await until((now) => now.sum('yardbid_live_connections') === 0)
  const count = 'yardbid_http_request_duration_seconds_count'
  assert.equal((await look()).sum(count, of), earlier.sum(count, of))
})

test('calls to providers count by outcome', async () => {
  const name = 'yardbid_provider_call_duration_seconds_count'
  const earlier = await look()
  await yard.payment.stripe.customers.create({})
  await assert.rejects(yard.payment.stripe.customers.retrieve('cus_none'))
  const keys = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecret: 'whsec_x' }
  const nobody = `http://127.0.0.1:${await freePort()}`
  await assert.rejects(openPayment(keys, { speakTo: nobody, apiBase: nobody }).stripe.customers.create({}))
  await signUp(yard)
  await yard.jobsDone()
  const now = await look()
  for (const [provider, outcome] of [
    ['payment', 'ok'],
    ['payment', 'refused'],
    ['payment', 'failed'],
    ['mail', 'ok'],
  ] as const)
    assert.ok(now.sum(name, { provider, outcome }) > earlier.sum(name, { provider, outcome }), `${provider} ${outcome}`)
})

test('pools show who waits; without a database its queues are left out', async () => {
  const pool = openPool(yard.databaseUrl, 1)
  const gauges = watchGauges({ about: {}, pools: { bids: pool }, liveConnections: () => 0 })
  const held = await pool.connect()
  const next = pool.connect()
  const now = parseExposition(exposition(await gauges.read()))
  held.release()
  ;(await next).release()
  gauges.stop()
  const of = { pool: 'bids' }
  assert.deepEqual(
    ['waiting', 'connections', 'idle_connections', 'size'].map((what) => now.sum(`yardbid_pool_${what}`, of)),
    [1, 1, 0, 1],
  )
  const later = parseExposition(exposition(await watchGauges({ about: {}, pools: { bids: pool }, liveConnections: () => 0 }).read()))
  assert.deepEqual([later.sum('yardbid_pool_waiting', of), later.sum('yardbid_pool_idle_connections', of)], [0, 1])
  assert.equal(later.sum('yardbid_database_up'), 0)
  assert.equal(later.types.get('yardbid_jobs_due'), 'gauge')
  assert.ok(!later.samples.some(({ name: sample }) => sample === 'yardbid_jobs_due'))
  await pool.end()
})

test('web and worker say who they are, and what both write can be read by Prometheus', async () => {
  const worker = await yard.another({ METRICS_PORT: '0', ROLE: 'worker' })
  for (const [port, role] of [
    [web.metricsPort, 'web'],
    [worker.metricsPort, 'worker'],
  ] as const) {
    const now = await look(port)
    assert.equal(now.sum('yardbid_build_info', { role, version: 'test' }), 1)
    assert.ok(now.sum('process_resident_memory_bytes') > 1_000_000)
    for (const { labels, name, value } of now.samples.filter(({ labels: { le } }) => le === '+Inf')) {
      const { le: _, ...of } = labels
      assert.equal(now.sum(name.replace(/_bucket$/, '_count'), of), value, `${name} ${JSON.stringify(of)}`)
    }
    const promtool = spawnSync('promtool', ['check', 'metrics'], { input: now.text, encoding: 'utf8' })
    if (!promtool.error) assert.equal(promtool.status, 0, promtool.stdout + promtool.stderr)
  }
  await worker.stop()
  await assert.rejects(fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`))
})
