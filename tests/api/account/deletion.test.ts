import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findViolations } from '#database/check.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { act, acts, bid, ended, endNow, left, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import type { Answer } from '#tests/support/client.ts'
import { png } from '#tests/support/files/made-files.ts'
import { upload } from '#tests/support/files/stores.ts'
import { goodPassword, signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard()))
after(() => yard.close())

test('a deleted account logs in to a session that can only restore or log out', async () => {
  const { client, email, id } = await signUp(yard)
  assert.equal((await client.post('/api/v1/auth/me/delete', { reason: 'Too quiet here' })).status, 204)
  const { rows } = await yard.owner.query('select deletion_reason from users where id = $1', [id])
  assert.equal(rows[0].deletion_reason, 'Too quiet here')
  await yard.jobsDone()
  assert.ok((await yard.outbox.list(email)).some(({ subject }) => subject.startsWith('Your account was deleted')))

  const login = await client.logIn(email, goodPassword)
  assert.equal(login.status, 200)
  assert.ok(Date.parse(login.body.data.user.deletion.restore_until) > Date.now())
  assert.equal((await client.put('/api/v1/auth/me', { first_name: 'X' })).status, 403)
  assert.equal((await client.get('/api/v1/auth/me/default-address')).status, 403)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)

  const restored = await client.post('/api/v1/auth/me/restore')
  assert.deepEqual([restored.status, restored.body.data.deletion, restored.body.data.id], [200, null, id])
  assert.equal((await client.put('/api/v1/auth/me', { first_name: 'Back' })).status, 200)
  assert.equal((await client.post('/api/v1/auth/me/restore')).status, 403, 'there is nothing to restore any more')
})

test('58: nobody leaves with something under way: a listing, a lead, a purchase or a sale', async () => {
  const [seller, buyer] = [await newMember(yard), await newMember(yard)]
  const refused = async ({ client }: Merchant, why: RegExp) => {
    for (const answer of [await client.delete('/api/v1/auth/me'), await client.post('/api/v1/auth/me/delete', { reason: 'Leaving' })]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'under_way'])
      assert.match(answer.body.message, why)
    }
    assert.equal((await client.get('/api/v1/auth/me')).status, 200)
  }
  const id = await newListing(yard.owner, seller.id)
  await refused(seller, /listings that are running/)
  await bid(buyer.client, id, 100_00)
  await refused(buyer, /lead the bidding/)
  await endNow(yard, id)
  await left(yard, id, 'Active')
  await refused(buyer, /purchase that is not finished/)
  await refused(seller, /sale that is not finished/)
  await yard.owner.query(`update listings set status = 'ExchangeComplete', due_at = null where id = $1`, [id])
  for (const { client } of [seller, buyer]) assert.equal((await client.delete('/api/v1/auth/me')).status, 204)
})

const RACES = 12

const nobodyLeftInDebt = async () =>
  assert.deepEqual(
    (await findViolations(yard.owner)).filter(({ rule }) => rule.startsWith('58')),
    [],
  )

/** Sends both at once. Answers their statuses. */
async function race(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<[number, number]> {
  const [one, other] = await Promise.all([first(), second()])
  return [one.status, other.status]
}

test('10, 58: of a bid and the deletion of its bidder at once, one is refused: no deleted account leads', async () => {
  const seller = await newMember(yard)
  for (let nth = 0; nth < RACES; nth++) {
    const buyer = await newMember(yard)
    const id = await newListing(yard.owner, seller.id)
    const [placed, left] = await race(
      () => buyer.client.post(`/api/v1/listings/${id}/bids`, { amount: 100_00 }),
      () => buyer.client.delete('/api/v1/auth/me'),
    )
    assert.ok((placed === 201) !== (left === 204), `bid ${placed}, deletion ${left}`)
  }
  await nobodyLeftInDebt()
})

test('58: of a new listing and the deletion of its seller at once, one is refused: no deleted account sells', async () => {
  for (let nth = 0; nth < RACES; nth++) {
    const { client } = await newMember(yard)
    const photo = await upload(client, { bytes: await png(), mime_type: 'image/png', filename: 'load.png' })
    const form = {
      title: 'Bright copper wire',
      description: 'Clean and dry.',
      material_id: 'copper_bright',
      price_basis: 'lot',
      start_price: 600_00,
      duration_days: 3,
      transfer_method_id: 1,
      use_default_address: true,
      media: [photo.id],
    }
    const [listed, left] = await race(
      () => client.post('/api/v1/listings', form),
      () => client.delete('/api/v1/auth/me'),
    )
    assert.ok((listed === 201) !== (left === 204), `listing ${listed}, deletion ${left}`)
  }
  await nobodyLeftInDebt()
})

test('58: of an offer, or a relisting, and the deletion of whom it binds at once, one is refused', async () => {
  for (let nth = 0; nth < RACES / 2; nth++) {
    const [seller, buyer] = [await newMember(yard), await newMember(yard)]
    const id = await ended(yard, seller, [[buyer, 100_00]], { reservation_price: 900_00 })
    const [offered, buyerLeft] = await race(
      () => act(seller.client, id, 'offer_to_highest_bidder'),
      () => buyer.client.delete('/api/v1/auth/me'),
    )
    assert.ok((offered === 200) !== (buyerLeft === 204), `offer ${offered}, deletion ${buyerLeft}`)
    if (offered === 200) await acts(buyer.client, id, 'decline_offer', 'Expired')
    const [relisted, sellerLeft] = await race(
      () => act(seller.client, id, 'relist', { duration_days: 7 }),
      () => seller.client.delete('/api/v1/auth/me'),
    )
    assert.ok((relisted === 200) !== (sellerLeft === 204), `relisting ${relisted}, deletion ${sellerLeft}`)
  }
  await nobodyLeftInDebt()
})

test('DELETE me deletes without a reason', async () => {
  const { client, id } = await signUp(yard)
  assert.equal((await client.delete('/api/v1/auth/me')).status, 204)
  const { rows } = await yard.owner.query('select deleted_at is not null as deleted, deletion_reason from users where id = $1', [id])
  assert.deepEqual(rows[0], { deleted: true, deletion_reason: null })
})

test('the reason must be given where it is asked for', async () => {
  const { client } = await signUp(yard)
  assert.equal((await client.post('/api/v1/auth/me/delete', { reason: '  ' })).status, 422)
  assert.equal((await client.get('/api/v1/auth/me')).status, 200)
})

test('an account that is deleted by two calls at once is deleted once, with one e-mail', async () => {
  const { client, email, id } = await signUp(yard)
  await Promise.all(['first', 'second', 'third'].map((reason) => client.post('/api/v1/auth/me/delete', { reason })))
  await yard.jobsDone()
  assert.equal((await yard.outbox.list(email)).filter(({ subject }) => subject.startsWith('Your account was deleted')).length, 1)
  const { rowCount } = await yard.owner.query(`select from jobs where kind = 'erase_account' and payload ->> 'user_id' = $1`, [id])
  assert.equal(rowCount, 1)
})

test('two clicks on restore: the second finds the account restored', async () => {
  const { client, email } = await signUp(yard)
  await client.delete('/api/v1/auth/me')
  await client.logIn(email, goodPassword)
  const answers = await Promise.all([client.post('/api/v1/auth/me/restore'), client.post('/api/v1/auth/me/restore')])
  assert.ok(answers.some(({ status }) => status === 200))
  assert.ok(answers.every(({ status }) => [200, 403, 409].includes(status)))
})

// last: the clock does not come back
test('after 30 days the person is erased; restored and later deleted accounts are not', async () => {
  const gone = await signUp(yard)
  const ofGone = async (table: string) => (await yard.owner.query(`select from ${table} where user_id = $1`, [gone.id])).rowCount
  await yard.owner.query(
    `insert into notifications (user_id, kind, source, facts, link, in_app, delivered_at) values ($1, 'licence', 'x', '{}', '/', false, app_now())`,
    [gone.id],
  )
  await gone.client.put('/api/v1/auth/notification-settings', { digest: true })
  await gone.client.post('/api/v1/push-subscriptions', {
    endpoint: 'https://fcm.googleapis.com/fcm/send/gone',
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  })
  assert.equal(await ofGone('push_subscriptions'), 1)
  await gone.client.post('/api/v1/auth/me/delete', { reason: 'bye' })
  assert.deepEqual([await ofGone('push_subscriptions'), await ofGone('notifications')], [0, 1], 'no more push, the rest can be restored')
  const back = await signUp(yard)
  await back.client.post('/api/v1/auth/me/delete', { reason: 'bye' })
  await back.client.logIn(back.email, goodPassword)
  await back.client.post('/api/v1/auth/me/restore')

  await yard.travel('31 days')
  await yard.owner.query(`select pg_notify('jobs', '')`)
  await yard.jobsDone()

  const { rows } = await yard.owner.query(
    `select email, first_name, contact_number, erased_at is not null as erased from users where id = $1`,
    [gone.id],
  )
  assert.deepEqual(rows[0], { email: `erased-${gone.id}@erased.invalid`, first_name: 'Erased', contact_number: '', erased: true })
  for (const table of ['addresses', 'notifications', 'notification_settings']) assert.equal(await ofGone(table), 0, table)
  // as by a transaction that had found the person before the erasure, and committed after it
  await yard.owner.query(
    `with told as (insert into notifications (user_id, kind, source, facts, link, in_app) values ($1, 'licence', 'late', '{}', '/', true))
     insert into jobs (kind, payload) values ('deliver_notifications', '{}')`,
    [gone.id],
  )
  await yard.owner.query(`select pg_notify('jobs', '')`)
  await yard.jobsDone()
  assert.equal(await ofGone('notifications'), 0, 'what was told too late is forgotten too')
  assert.equal((await yard.client().logIn(gone.email, goodPassword)).status, 401)
  assert.equal((await yard.client().logIn(back.email, goodPassword)).status, 200)
  // the address is free again
  assert.equal((await signUp(yard, { email: gone.email })).email, gone.email)
})

test('a window that was made longer after the deletion delays the erasure, and does not lose it', async (t) => {
  const patient = await openYard()
  t.after(() => patient.close())
  const { client, id } = await signUp(patient)
  await client.delete('/api/v1/auth/me')
  await patient.owner.query(`insert into settings (key, value) values ('restore_window', '"60d"')`)
  const isErasedAfter = async (time: string) => {
    await patient.travel(time)
    await patient.owner.query(`select pg_notify('jobs', '')`)
    await patient.jobsDone()
    const { rows } = await patient.owner.query<{ erased: boolean }>('select erased_at is not null as erased from users where id = $1', [id])
    return rows[0]?.erased
  }
  assert.equal(await isErasedAfter('31 days'), false)
  assert.equal(await isErasedAfter('61 days'), true)
})
