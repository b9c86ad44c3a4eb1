import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import {
  closeBalanced,
  faults,
  me,
  newPayer,
  noFaults,
  setSetting,
  subscribed,
  subscriptionOf,
  userRow,
  type Payer,
} from '#tests/support/payments/paying.ts'
import { goodPassword } from '#tests/support/people.ts'
import { tryToWork, withWorker, work } from '#tests/support/processes/visiting-worker.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Whoever comes back within 30 days finds the subscription as it was: what the deletion cancelled is taken back with it.

let yard: Yard
// a worker comes where one is wanted
before(async () => (yard = await openYard({ env: { ROLE: 'web' } })))
afterEach(async () => {
  await noFaults(yard)
  await work(yard, '0 seconds')
})
after(async () => {
  const worker = await yard.another({ ROLE: 'worker' })
  await closeBalanced(yard)
  await worker.stop()
})

const subscriber = (): Promise<Payer> =>
  withWorker(yard, async () => {
    const payer = await newPayer(yard)
    await subscribed(yard, payer)
    return payer
  })

const leave = ({ client }: Payer) => client.delete('/api/v1/auth/me')
async function comeBack({ client, email }: Payer) {
  await client.logIn(email, goodPassword)
  assert.equal((await client.post('/api/v1/auth/me/restore')).status, 200)
}
const cancel = ({ client }: Payer) => client.post('/api/v1/stripe/subscription/delete')
const isCancelled = async ({ client }: Payer) => (await subscriptionOf(client)).cancel_at_period_end
const subjectsTo = async ({ email }: Payer) => (await yard.outbox.list(email)).map(({ subject }) => subject.replace(' · Yardbid', ''))

for (const [what, until] of [
  ['month', null],
  ['trial', '2099-01-01T00:00:00Z'],
] as const) {
  test(`a ${what} that was cancelled by deleting the account goes on when the account is restored, and its owner is told`, async () => {
    await setSetting(yard, 'trial_available_until', until)
    const payer = await subscriber()
    await leave(payer)
    await work(yard, '1 second')
    const { rows } = await yard.owner.query('select cancel_at_period_end from subscriptions where user_id = $1', [payer.id])
    assert.deepEqual(rows, [{ cancel_at_period_end: true }])
    assert.ok((await yard.outbox.list(payer.email)).some(({ text }) => text.includes('If you restore your account in time')))
    await comeBack(payer)
    await work(yard, '2 seconds')
    const { tier, cancel_at_period_end, next_payment } = await subscriptionOf(payer.client)
    assert.deepEqual([tier, cancel_at_period_end, next_payment.amount.value], ['full', false, 16_500])
    assert.ok((await subjectsTo(payer)).includes('Your subscription goes on'))
    // and so it is at the provider: the next month is paid for
    await work(yard, '32 days')
    assert.equal((await userRow(yard, payer.id)).tier, 'full')
  })
}

test('what the user had cancelled stays cancelled', async () => {
  await setSetting(yard, 'trial_available_until', null)
  const payer = await subscriber()
  assert.equal((await cancel(payer)).status, 200)
  await leave(payer)
  await work(yard, '1 second')
  await comeBack(payer)
  await work(yard, '2 seconds')
  assert.equal(await isCancelled(payer), true)
  assert.ok(!(await subjectsTo(payer)).includes('Your subscription goes on'))
})

test('who comes back and cancels before it was taken back has cancelled', async () => {
  const payer = await subscriber()
  await leave(payer)
  await work(yard, '1 second')
  await comeBack(payer)
  assert.equal((await cancel(payer)).status, 200)
  assert.equal((await cancel(payer)).status, 409, 'already cancelled')
  await work(yard, '2 seconds')
  assert.equal(await isCancelled(payer), true)
})

test('who deletes the account again has cancelled again', async () => {
  const payer = await subscriber()
  for (const seconds of [1, 3]) {
    await leave(payer)
    await work(yard, `${seconds} seconds`)
    await comeBack(payer)
    await work(yard, `${seconds + 1} seconds`)
    assert.equal(await isCancelled(payer), false)
  }
  await leave(payer)
  await work(yard, '5 seconds')
  const { rows } = await yard.owner.query('select cancel_at_period_end from subscriptions where user_id = $1', [payer.id])
  assert.deepEqual(rows, [{ cancel_at_period_end: true }])
})

test('what has ended meanwhile stays ended, and nothing is taken', async () => {
  const payer = await subscriber()
  await leave(payer)
  await work(yard, '1 second')
  const { rows } = await yard.owner.query('select provider_id from subscriptions where user_id = $1', [payer.id])
  await yard.payment.stripe.subscriptions.cancel(rows[0].provider_id)
  await comeBack(payer)
  await work(yard, '2 seconds')
  assert.deepEqual([await subscriptionOf(payer.client), (await me(payer.client)).subscription.tier], [null, 'basic'])
})

const mishaps: [what: string, fault: object][] = [
  ['the answer to the cancellation is lost', { fail: 'after', status: 500 }],
  ['the provider is down', { fail: 'before', status: 500 }],
]
for (const [what, fault] of mishaps) {
  test(`38: when ${what} before the account is restored, the subscription goes on all the same`, async () => {
    const payer = await subscriber()
    await leave(payer)
    await faults(yard, { ...fault, path: '/v1/subscriptions/' })
    await tryToWork(yard, '1 second')
    await comeBack(payer)
    await tryToWork(yard, '2 seconds')
    await noFaults(yard)
    await work(yard, '5 minutes')
    assert.equal(await isCancelled(payer), false)
    const { rows } = await yard.owner.query('select provider_id, cancelled_by_deletion from subscriptions where user_id = $1', [payer.id])
    const { cancel_at_period_end } = await yard.payment.stripe.subscriptions.retrieve(rows[0].provider_id)
    assert.deepEqual([cancel_at_period_end, rows[0].cancelled_by_deletion], [false, false])
  })
}

test('38: what was given up after days is asked for again when everything is looked at', async () => {
  const payer = await subscriber()
  const looked = async (later: string, lost: string) => {
    await yard.owner.query('delete from jobs where kind = $1', [lost])
    // before the worker comes, which would look at once
    await yard.travel(later)
    await yard.owner.query(`insert into jobs (kind, payload) values ('reconcile_provider', '{}')`)
    await work(yard, later)
    const { rows } = await yard.owner.query('select cancel_at_period_end from subscriptions where user_id = $1', [payer.id])
    return rows[0].cancel_at_period_end
  }
  await leave(payer)
  assert.equal(await looked('2 minutes', 'leave_subscription'), true)
  await comeBack(payer)
  assert.equal(await looked('4 minutes', 'resume_subscription'), false)
})
