import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { Stripe } from 'stripe'
import { bankCall, closeBalanced, confirm, faults, newPayer, noFaults, subscribed } from '#tests/support/payments/paying.ts'
import { seededRandom } from '#tests/support/random.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// 31: for any duplication and order of the same events the end is the same. The same story is told in order and once, then, after
// everything that was learnt from it is forgotten, again in another order and several times.

let yard: Yard
before(async () => {
  yard = await openYard()
  // two workers, so that two events are applied at the same moment
  await yard.another()
})
after(() => closeBalanced(yard))

const TIMES = Number(process.env['SHUFFLES'] ?? 3)

/** Everything that an event may change, without what says when and how often. */
async function state(owner: pg.Client) {
  const read = async (text: string) => (await owner.query(text)).rows
  return {
    users: await read(
      `select id, tier, subscription_status, trial_ends_at, payment_account_completed, payment_account_verified, payment_account_requirements,
              subscription_card, holding_fee_card, holding_fee_card_shown
       from users order by id`,
    ),
    subscriptions: await read(
      `select id, provider_id, status, awaits_confirmation, price, current_period_end, trial_ends_at, cancel_at_period_end, card, has_discount, past_due_since,
              grace_ends_at, ended_at
       from subscriptions order by id`,
    ),
    invoices: await read(
      'select provider_id, user_id, number, status, total, amount_due, amount_paid, period_start, period_end, created_at from subscription_invoices order by number',
    ),
    ledger: await read(
      `select t.kind, t.source, t.memo, t.user_id, t.occurred_at, e.line, e.account, e.amount
       from ledger_transactions t join ledger_entries e on e.transaction_id = t.id order by t.source, e.line`,
    ),
  }
}

/** As if no event had ever come. */
async function forget(owner: pg.Client) {
  await owner.query('truncate provider_events, subscription_invoices, ledger_entries, ledger_transactions')
  await owner.query(`update subscriptions set status = 'incomplete', awaits_confirmation = true, card = null, ended_at = null, read_no = 0`)
  await owner.query(`update users set tier = 'basic', subscription_status = null, trial_ends_at = null, payment_account_completed = false,
    payment_account_verified = false, subscription_card = null, holding_fee_card = null, holding_fee_card_shown = null`)
}

async function live() {
  const { stripe } = yard.payment
  const [payer, leaver, seller] = [await newPayer(yard), await newPayer(yard), await newPayer(yard)]
  await subscribed(yard, payer)
  const holding = (await payer.client.post('/api/v1/stripe/create-holding-fee-setup-intent')).body.data.client_secret
  await confirm(yard, holding)
  await subscribed(yard, leaver)
  await leaver.client.ask('PATCH', '/api/v1/stripe/subscription', { body: { plan_id: 'basic' } })
  await payer.client.post('/api/v1/stripe/subscription/delete')
  await payer.client.post('/api/v1/stripe/subscription/reactivate')
  const { rows } = await yard.owner.query('select payment_account_id from users where id = $1', [seller.id])
  await bankCall(yard, 'POST', `/sandbox/accounts/${rows[0].payment_account_id}/complete`)
  for (const payment_method of ['pm_card_visa', 'pm_card_createDispute']) {
    const params = { amount: 12_300, currency: 'gbp', confirm: true, metadata: { purpose: 'goods' }, payment_method }
    const intent = await stripe.paymentIntents.create({ ...params, allowed_payment_method_types: ['card'] })
    if (payment_method === 'pm_card_visa') await stripe.refunds.create({ payment_intent: intent.id, amount: 2_300 })
  }
  await yard.bankSettled()
}

test(`31: thousands of events, shuffled and doubled, end as they do in order and once`, async () => {
  await live()
  const told = await state(yard.owner)
  assert.ok(told.ledger.length > 10)
  const events = await yard.payment.stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
  assert.ok(events.length > 40, String(events.length))

  for (let seed = 1; seed <= TIMES; seed++) {
    const dice = seededRandom(seed)
    const many = Array.from({ length: 1_000 }, () => dice.oneOf(events)).concat(events)
    const shuffled = many.map((event) => ({ event, at: dice.between(0, 1_000_000) })).toSorted((one, other) => one.at - other.at)
    await forget(yard.owner)
    const posts = shuffled.map(({ event }) => JSON.stringify(event))
    for (let from = 0; from < posts.length; from += 50) {
      const answers = await Promise.all(posts.slice(from, from + 50).map(post))
      assert.ok(answers.every((status) => status === 200))
    }
    await yard.bankSettled()
    assert.deepEqual(await state(yard.owner), told, `seed ${seed}`)
  }
})

async function post(payload: string): Promise<number> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: yard.payment.webhookSecret })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await fetch(`${yard.url}/stripe/webhook`, { method: 'POST', body: payload, headers })).status
}

test('31: the provider’s own doubling and reordering changes nothing either', async () => {
  await faults(yard, { webhooks: { duplicate: true, reorder: true } })
  await live()
  await noFaults(yard)
  await yard.bankSettled()
  const { rows } = await yard.owner.query('select tier, count(*)::int as people from users group by tier order by tier')
  assert.deepEqual(rows, [
    { tier: 'basic', people: 4 },
    { tier: 'full', people: 2 },
  ])
})
