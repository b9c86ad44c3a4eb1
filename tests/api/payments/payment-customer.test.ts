import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { closeBalanced, faults, newPayer, noFaults, userRow, type Payer } from '#tests/support/payments/paying.ts'
import { goodPassword, linkInMail } from '#tests/support/people.ts'
import { tryToWork, withWorker, work } from '#tests/support/processes/visiting-worker.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Receipts go to the address that the provider knows: a changed e-mail or company name reaches it, and the newest is the last.

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

const setupIntent = ({ client }: Payer) => client.get('/api/v1/stripe/setup-intent')

/** Somebody whom the provider knows as a customer. */
const customer = (): Promise<Payer> =>
  withWorker(yard, async () => {
    const payer = await newPayer(yard)
    assert.equal((await setupIntent(payer)).status, 200)
    return payer
  })

async function rename({ client }: Payer, company_name: string) {
  const { status, body } = await client.put('/api/v1/auth/me', { profile: { company_name } })
  assert.equal(status, 200, JSON.stringify(body))
}

async function known(payer: Payer) {
  const found = await yard.payment.stripe.customers.retrieve((await userRow(yard, payer.id)).provider_customer_id)
  return found.deleted ? [] : [found.email, found.name]
}

const changesOf = async (payer: Payer) =>
  (await yard.owner.query(`select * from provider_calls where user_id = $1 and kind = 'update_customer' order by created_at`, [payer.id]))
    .rows

test('a changed e-mail and a changed company name reach the customer', async () => {
  const payer = await customer()
  const email = `new-${payer.email}`
  assert.equal((await payer.client.put('/api/v1/auth/me', { email, current_password: goodPassword })).status, 200)
  await work(yard, '10 seconds')
  const token = await linkInMail(yard, email, '/verify-email')
  assert.equal((await payer.client.get(`/api/v1/auth/verify-email?token=${token}`)).status, 200)
  await rename(payer, 'Smith & Daughters Metals Ltd')
  assert.equal((await changesOf(payer)).length, 1, 'the second waits for the first')
  await work(yard, '30 seconds')
  await work(yard, '50 seconds')
  assert.deepEqual(await known(payer), [email, 'Smith & Daughters Metals Ltd'])
})

test('what the provider does not know is not told, and what it knows is not told again', async () => {
  const payer = await customer()
  assert.equal(
    (await payer.client.put('/api/v1/auth/me', { first_name: 'Joanna', profile: { company_name: 'Smith Metals Ltd' } })).status,
    200,
  )
  assert.deepEqual(await changesOf(payer), [])
})

test('nothing is sent while there is no customer', async () => {
  const payer = await withWorker(yard, () => newPayer(yard))
  await rename(payer, 'Early Metals Ltd')
  assert.deepEqual(await changesOf(payer), [])
  await setupIntent(payer)
  assert.deepEqual(await known(payer), [payer.email, 'Early Metals Ltd'])
})

test('38: a change while the customer is being made is told when it is there', async () => {
  const payer = await withWorker(yard, () => newPayer(yard))
  await faults(yard, { fail: 'after', status: 500, path: '/v1/customers' })
  assert.equal((await setupIntent(payer)).status, 503)
  await rename(payer, 'Meanwhile Metals Ltd')
  await noFaults(yard)
  await work(yard, '20 seconds')
  await work(yard, '40 seconds')
  assert.deepEqual(await known(payer), [payer.email, 'Meanwhile Metals Ltd'])
})

const mishaps: [what: string, fault: object][] = [
  ['the provider is down', { fail: 'before', status: 500 }],
  ['the answer is lost', { fail: 'after', status: 500 }],
  ['the provider refuses it', { fail: 'before', status: 400, times: 1 }],
]
for (const [what, fault] of mishaps) {
  test(`38: when ${what} and the name changes again, the newest is what the provider knows`, async () => {
    const payer = await customer()
    await rename(payer, 'First Metals Ltd')
    await faults(yard, { ...fault, path: '/v1/customers' })
    await tryToWork(yard, '20 seconds')
    await rename(payer, 'Second Metals Ltd')
    await rename(payer, 'Third Metals Ltd')
    await tryToWork(yard, '25 seconds')
    await noFaults(yard)
    await work(yard, '2 minutes')
    await work(yard, '3 minutes')
    assert.deepEqual(await known(payer), [payer.email, 'Third Metals Ltd'])
    assert.deepEqual(
      (await changesOf(payer)).filter(({ status }) => status === 'pending'),
      [],
    )
  })
}

test('38: a change that was unsure for days is told once more', async () => {
  const payer = await customer()
  await rename(payer, 'Patient Metals Ltd')
  await yard.owner.query(`update provider_calls set created_at = created_at - interval '3 days' where status = 'pending'`)
  await work(yard, '20 seconds')
  assert.deepEqual(await known(payer), [payer.email, 'Patient Metals Ltd'])
})
