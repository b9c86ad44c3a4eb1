import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { listingStatuses } from '#contract/values/listing-status.ts'
import { findViolations } from '#database/check.ts'
import { demoDeals } from '#database/demo/deals.ts'
import { fillDemoPayments } from '#server/demo-payments.ts'
import { playDemoSales } from '#server/demo-sales.ts'
import { diskStore } from '#server/providers/files-disk.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { closeBalanced, me, subscriptionOf, userRow } from '#tests/support/payments/paying.ts'
import { demoUser, type DemoName } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => {
  yard = await openYard({ demo: true })
  // browsers may reach the provider where this machine does not
  const payment = { ...yard.payment, apiBase: 'http://yard.invalid:1' }
  const filling = { url: yard.databaseUrl, payment, settings: new Map() }
  await Promise.all([fillDemoPayments(filling), fillDemoPayments(filling)])
  await yard.bankSettled()
})
after(() => closeBalanced(yard))

const people: [DemoName, tier: string, status: string | null, invoices: number][] = [
  ['seller', 'full', 'active', 1],
  ['buyer', 'full', 'active', 1],
  ['rival', 'full', 'trialing', 1],
  ['basic', 'basic', null, 0],
  ['trade', 'seller', null, 0],
]
for (const [name, tier, status, invoices] of people) {
  test(`the demo's ${name} exists at the provider, with tier ${tier}`, async () => {
    const client = await demoUser(yard, name)
    const { id, subscription, onboarded } = await me(client)
    assert.deepEqual(
      [subscription.tier, subscription.status, subscription.stripe, onboarded],
      [tier, status, { account_completed: true, account_verified: true, account_needs_more: false }, true],
    )
    const row = await userRow(yard, id)
    const account = await yard.payment.stripe.accounts.retrieve(row.payment_account_id)
    assert.deepEqual([account.charges_enabled, account.metadata?.['user_id']], [true, id])
    assert.equal((await client.get('/api/v1/stripe/holding-fee-payment-method')).body.data.last4, '4242')
    assert.equal((await subscriptionOf(client))?.status ?? null, status)
    assert.equal((await client.get('/api/v1/stripe/subscription/invoices')).body.data.length, invoices)
  })
}

test('two starts at once made one account each', async () => {
  const accounts = await yard.payment.stripe.accounts.list({ limit: 100 })
  const { rows } = await yard.owner.query('select count(*)::int as known from users where payment_account_id not like $1', ['acct_demo_%'])
  assert.equal(accounts.data.length, rows[0].known)
})

const statusesOf = async (ids: readonly string[]) => {
  const { rows } = await yard.owner.query<{ id: string; status: string }>('select id, status from listings where id = any($1::uuid[])', [
    ids,
  ])
  return new Map(rows.map(({ id, status }) => [id, status]))
}

test('the demo has a sale in each of the 24 statuses, played in two starts, and everything holds after each', async () => {
  const files = diskStore({ folder: await scratchFolder('files'), secret: 'x' })
  const playing = { url: yard.databaseUrl, payment: yard.payment, settings: new Map(), files }
  // the first start is interrupted
  const first = playDemoSales(playing)
  const isUnderWay = async () => (await yard.owner.query(`select from listing_events where step = 'confirm_handover'`)).rowCount
  while (!(await isUnderWay())) await pause(20)
  await first.stop()
  await first.done
  assert.deepEqual(await findViolations(yard.owner), [])
  await Promise.all([playDemoSales(playing).done, playDemoSales(playing).done])
  await yard.bankSettled()
  await yard.jobsDone()

  const statuses = await statusesOf(demoDeals.map(({ id }) => id))
  assert.deepEqual(
    demoDeals.map(({ id, title }) => [title, statuses.get(id)]),
    demoDeals.map(({ title, leads_to }) => [title, leads_to]),
  )
  const { rows } = await yard.owner.query<{ status: string }>('select distinct status from listings')
  assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(Object.keys(listingStatuses)))
  assert.deepEqual(await findViolations(yard.owner), [])

  // a further start finds nothing to do
  const events = async () => (await yard.owner.query('select count(*) from listing_events')).rows[0].count
  const before = await events()
  await playDemoSales(playing).done
  assert.equal(await events(), before)
})

test('the demo’s buyer may pay one of the sales later', async () => {
  const buyer = await demoUser(yard, 'buyer')
  const deal = demoDeals.find(({ leads_to, accepts_deferred_payment }) => leads_to === 'PendingPayment' && accepts_deferred_payment)
  const { data } = (await buyer.get(`/api/v1/listings/${deal?.id}`)).body
  const actions = data.available_actions.map(({ action }: { action: string }) => action)
  assert.ok(actions.includes('use_deferred_terms'), actions)
})

test('the demo has a coupon', async () => {
  const client = await demoUser(yard, 'basic')
  const { data } = (await client.post('/api/v1/stripe/subscription/coupons/validate', { code: 'YARD20' })).body
  assert.equal(data.valid, true)
})
