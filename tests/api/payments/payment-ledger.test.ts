import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { ledgerAccounts } from '#domain/ledger.ts'
import type { Stripe } from 'stripe'
import { APP_ROLE } from '#database/migrate.ts'
import { openDatabase } from '#server/db/db.ts'
import { idOf } from '#server/features/payments/cards.ts'
import { eventJobs } from '#server/features/provider-events/reconcile.ts'
import { settingsReader } from '#server/features/settings/public.ts'
import { openProvider } from '#server/open-provider.ts'
import { accountsOf, bankCall, closeBalanced, faults, newPayer, noFaults, subscribed } from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Every line of the provider's balance is one transaction of the ledger: charges, refunds, chargebacks, transfers, payouts and fees.

let yard: Yard
let stripe: Stripe
before(async () => {
  yard = await openYard()
  stripe = yard.payment.stripe
})
afterEach(async () => {
  await noFaults(yard)
  await yard.travel('0 seconds')
})
after(() => closeBalanced(yard))

const pay = (amount: number, purpose: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount,
    currency: 'gbp',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
    metadata: { purpose },
    ...more,
  })

/** What something did to the accounts, once it is applied. */
async function doing(work: () => Promise<unknown>): Promise<Record<string, number>> {
  await yard.bankSettled()
  const before = await accountsOf(yard)
  await work()
  await yard.bankSettled()
  const after = await accountsOf(yard)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return Object.fromEntries(names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]).filter(([, amount]) => amount !== 0))
}

test('a subscription that is paid is income, less the provider’s fee', async () => {
  const payer = await newPayer(yard)
  assert.deepEqual(await doing(() => subscribed(yard, payer)), {
    provider_clearing: 16_232,
    provider_fees: 268,
    subscription_income: -16_500,
  })
  const { rows } = await yard.owner.query('select kind, user_id, source from ledger_transactions where user_id = $1', [payer.id])
  assert.deepEqual([rows.length, rows[0].kind], [1, 'charge'])
  assert.match(rows[0].source, /^txn_/)
})

const purposes = { goods: 'buyer_funds', balance_due: 'buyer_funds', holding_fee: 'holding_fees', unknown: 'suspense' }
for (const [purpose, account] of Object.entries(purposes)) {
  test(`a payment with the purpose ${purpose} is ${account}, and so is its refund`, async () => {
    let intent: Stripe.PaymentIntent | undefined
    // refunds are paid from available money
    const available = { payment_method: 'pm_card_bypassPending' }
    assert.deepEqual(await doing(async () => (intent = await pay(10_000, purpose, available))), {
      [account]: -10_000,
      provider_clearing: 9_830,
      provider_fees: 170,
    })
    assert.deepEqual(await doing(() => stripe.refunds.create({ payment_intent: intent?.id ?? '', amount: 4_000 })), {
      [account]: 4_000,
      provider_clearing: -4_000,
    })
  })
}

test('a refund that the bank sends back a day later is the buyer’s money again', async () => {
  await pay(50_000, 'goods', { payment_method: 'pm_card_bypassPending' })
  const { id } = await pay(10_000, 'goods', { payment_method: 'pm_card_refundFail' })
  const moved = await doing(() => stripe.refunds.create({ payment_intent: id }))
  assert.deepEqual(moved, { buyer_funds: 10_000, provider_clearing: -10_000 })
  const back = await doing(() => yard.travel('1 day 1 minute'))
  assert.deepEqual(back, { buyer_funds: -10_000, provider_clearing: 10_000 })
})

test('a part of an authorisation that is captured is all that moves', async () => {
  const { id } = await pay(5_000, 'holding_fee', { capture_method: 'manual' })
  const moved = await doing(() => stripe.paymentIntents.capture(id, { amount_to_capture: 2_000 }))
  assert.deepEqual(moved, { holding_fees: -2_000, provider_clearing: 1_950, provider_fees: 50 })
})

test('an authorisation moves nothing until it is captured', async () => {
  let intent: Stripe.PaymentIntent | undefined
  assert.deepEqual(await doing(async () => (intent = await pay(5_000, 'holding_fee', { capture_method: 'manual' }))), {})
  const moved = await doing(() => stripe.paymentIntents.capture(intent?.id ?? ''))
  assert.equal(moved['holding_fees'], -5_000)
})

test('a chargeback is taken with its fee; won, it comes back; lost, it is a loss', async () => {
  const disputed = () => pay(10_000, 'goods', { payment_method: 'pm_card_createDispute' })
  const disputeOf = async (intent: Stripe.PaymentIntent) => (await stripe.disputes.list({ payment_intent: intent.id })).data[0]?.id ?? ''

  let intent: Stripe.PaymentIntent | undefined
  const opened = await doing(async () => (intent = await disputed()))
  assert.deepEqual([opened['buyer_funds'], opened['chargebacks']], [-10_000, 10_000])
  const fee = (opened['provider_fees'] ?? 0) - 170
  assert.ok(fee > 0)
  assert.equal(opened['provider_clearing'], -170 - fee)
  if (!intent) throw new Error('paid')
  const won = await disputeOf(intent)
  const back = await doing(() => bankCall(yard, 'POST', `/sandbox/disputes/${won}/close`, { status: 'won' }))
  assert.deepEqual([back['chargebacks'], back['chargeback_losses']], [-10_000, undefined])

  await doing(async () => (intent = await disputed()))
  const lost = await disputeOf(intent)
  const gone = await doing(() => bankCall(yard, 'POST', `/sandbox/disputes/${lost}/close`, { status: 'lost' }))
  assert.deepEqual(gone, { chargebacks: -10_000, chargeback_losses: 10_000 })
})

test('a payout is on its way until it arrives; one that fails comes back, also after it had arrived', async () => {
  await pay(50_000, 'goods')
  await yard.bankSettled()
  await yard.travel('4 days')
  const payout = () => stripe.payouts.create({ amount: 10_000, currency: 'gbp' })
  let sent: Stripe.Payout | undefined
  assert.deepEqual(await doing(async () => (sent = await payout())), { payouts_in_transit: 10_000, provider_clearing: -10_000 })
  const arrived = await doing(() => bankCall(yard, 'POST', `/sandbox/payouts/${sent?.id}/pay`))
  assert.deepEqual(arrived, { payouts_in_transit: -10_000, platform_bank: 10_000 })
  const failed = await doing(() => bankCall(yard, 'POST', `/sandbox/payouts/${sent?.id}/fail`))
  assert.deepEqual(failed, { platform_bank: -10_000, provider_clearing: 10_000 })

  await doing(async () => (sent = await payout()))
  const never = await doing(() => bankCall(yard, 'POST', `/sandbox/payouts/${sent?.id}/fail`))
  assert.deepEqual(never, { payouts_in_transit: -10_000, provider_clearing: 10_000 })
  const { rows } = await yard.owner.query(`select count(*)::int as through from ledger_entries where account = 'payouts_failed'`)
  assert.deepEqual(rows, [{ through: 4 }])
})

test('what a lost webhook did not say is found by looking', async () => {
  // later than everything that the tests before did
  await yard.travel('10 days')
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  const moved = await doing(async () => {
    const intent = await pay(20_000, 'goods')
    await stripe.refunds.create({ payment_intent: intent.id, amount: 500 })
    await yard.bank.settled()
    await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
    await yard.owner.query(`select pg_notify('jobs', '')`)
  })
  assert.deepEqual([moved['buyer_funds'], moved['suspense']], [-19_500, undefined])
})

test('a line that cannot be explained now keeps none of the others waiting, and is explained later', async () => {
  await yard.travel('20 days')
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  const moved = await doing(async () => {
    await pay(10_000, 'goods')
    const charge = idOf((await pay(30_000, 'goods')).latest_charge)
    await yard.bank.settled()
    await faults(yard, { fail: 'before', status: 500, path: `/v1/charges/${charge}` })
    await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
    await yard.owner.query(`select pg_notify('jobs', '')`)
  })
  assert.equal(moved['buyer_funds'], -10_000)
  await noFaults(yard)
  assert.equal((await doing(() => yard.travel('21 days')))['buyer_funds'], -30_000)
})

test('a lost payment is found however much newer ones were told of since the last look', async () => {
  await yard.travel('30 days')
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  // nobody looks for a week
  await yard.owner.query(`delete from jobs where kind = 'reconcile_provider'`)
  const lost = await doing(() => pay(7_000, 'goods'))
  assert.deepEqual(lost, {})
  await noFaults(yard)
  await yard.travel('37 days')
  assert.equal((await doing(() => pay(1_000, 'goods')))['buyer_funds'], -1_000)
  const found = await doing(async () => {
    await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
    await yard.owner.query(`select pg_notify('jobs', '')`)
  })
  assert.equal(found['buyer_funds'], -7_000)
})

test('20: a list that is longer than one look is gone through to its end, and counts as compared then', async () => {
  await yard.travel('40 days')
  await yard.bankSettled()
  await faults(yard, { webhooks: { lose: true } })
  await yard.owner.query(`delete from jobs where kind = 'reconcile_provider'`)
  for (let nth = 0; nth < 5; nth++) await pay(1_000, 'goods')
  await yard.bank.settled()
  const db = openDatabase(yard.databaseUrl, 2)
  const readSetting = settingsReader(new Map())
  const provider = openProvider({ db, payment: yard.payment, readSetting })
  const { reconcile_provider } = eventJobs(
    { db, provider, readSetting, recheckGate: async () => undefined, recheckSale: async () => false, config: { publicUrl: '' } },
    2,
  )
  const compared = async () => (await yard.owner.query('select compared_until from reconciliation')).rows[0]?.compared_until as Date
  const before = await compared()
  // the looks that follow are taken from the queue before another worker does
  type Next = { payload: { after?: string; until?: string; has_failed?: boolean } }
  const next = async () =>
    (await yard.owner.query<Next>(`delete from jobs where kind = 'reconcile_provider' and payload ? 'after' returning payload`)).rows[0]
  let looks = 1
  await yard.owner.query(
    `create function hold_jobs() returns trigger language plpgsql as 'begin new.run_at = app_now() + interval ''1 hour''; return new; end'`,
  )
  await yard.owner.query(
    `create trigger held before insert on jobs for each row when (new.kind = 'reconcile_provider') execute function hold_jobs()`,
  )
  await reconcile_provider({})
  for (let look = await next(); look; look = await next()) {
    assert.deepEqual(await compared(), before, 'not before the end')
    await reconcile_provider(look.payload)
    looks++
  }
  await yard.owner.query('drop trigger held on jobs')
  await yard.owner.query('drop function hold_jobs')
  await db.destroy()
  assert.ok(looks > 2)
  assert.ok((await compared()) > before)
  await noFaults(yard)
})

const forbidden = [
  'update ledger_entries set amount = amount + 1',
  'delete from ledger_entries',
  'truncate ledger_entries',
  `update ledger_transactions set memo = 'x'`,
  'delete from ledger_transactions',
  `update provider_events set type = 'x'`,
  'delete from provider_events',
  'delete from provider_calls',
  'delete from subscription_invoices',
]
for (const text of forbidden) {
  test(`12: the application may not: ${text}`, async () => {
    await yard.owner.query('begin')
    await yard.owner.query(`set local role ${APP_ROLE}`)
    await assert.rejects(yard.owner.query(text), /permission denied/)
    await yard.owner.query('rollback')
  })
}

const unbalanced: [what: string, lines: string][] = [
  ['does not sum to zero', `('provider_clearing', 100, 1), ('suspense', -99, 2)`],
  ['has one line', `('provider_clearing', 100, 1)`],
  ['has a line of nothing', `('provider_clearing', 0, 1), ('suspense', 0, 2)`],
  ['names an account that does not exist', `('cash', 100, 1), ('suspense', -100, 2)`],
]
for (const [what, lines] of unbalanced) {
  test(`25: the database refuses a ledger transaction that ${what}`, async () => {
    const write = async () => {
      await yard.owner.query(`insert into ledger_transactions (kind, source, memo, occurred_at) values ('test', 'test', 'x', app_now())`)
      await yard.owner.query(
        `insert into ledger_entries (transaction_id, account, amount, line)
         select id, l.account, l.amount, l.line from ledger_transactions, (values ${lines}) as l (account, amount, line) where source = 'test'`,
      )
      await yard.owner.query('commit')
    }
    await yard.owner.query('begin')
    await assert.rejects(write(), /does not balance|violates check constraint/)
    await yard.owner.query('rollback')
  })
}

test('the accounts of the ledger in the database are those of the domain', async () => {
  const { rows } = await yard.owner.query<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'ledger_entries_account_check'`,
  )
  const named = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
  assert.deepEqual(new Set(named), new Set(Object.keys(ledgerAccounts)))
})
