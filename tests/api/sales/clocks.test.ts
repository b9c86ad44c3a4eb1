import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, clientOf, newMember, see, setUser, stepsOf, type Merchant } from '#tests/support/auctions/sale.ts'
import { newBuyer, openSaleMoney, sold, statusOf, TOTAL } from '#tests/support/payments/sale-money.ts'
import { bought, paysByCard, plays } from '#tests/support/sales/play.ts'

// Deadlines of a sale: who is reminded, what stops a clock, and how often a code may be tried.

const { yard, seller } = await openSaleMoney({ amend_answer_window: '48h' })
const admin = await newMember(yard, { role: 'admin' })

const HOUR_MS = 3_600_000
const hoursLeft = async (id: string): Promise<number> => {
  const { rows } = await yard.owner.query('select extract(epoch from due_at - app_now()) * 1000 as ms from listings where id = $1', [id])
  return Math.round(Number(rows[0].ms) / HOUR_MS)
}
/** By a session that was not ended by the days that have passed. */
const acts = async (who: Merchant, id: string, action: string, body: Record<string, unknown> = {}) =>
  act(await clientOf(yard, who.id), id, action, body)

async function received() {
  const { id, buyer } = await bought(yard, seller)
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  await plays(yard, seller, id, 'confirm_handover', 'ReceivedGoods')
  return { id, buyer }
}

test('five wrong handover codes an hour, then 429, also for the right one; an hour later it counts', async () => {
  const { id, buyer } = await bought(yard, seller)
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
  const { handover_code } = await see(buyer.client, id)
  const wrong = handover_code === '000000' ? '111111' : '000000'
  const incomplete = await acts(seller, id, 'confirm_handover', { code: wrong })
  assert.deepEqual([incomplete.status, Object.keys(incomplete.body.errors)], [422, ['vehicle']], 'not compared, so not counted')
  const tried = await Promise.all(
    Array.from({ length: 5 }, () => acts(seller, id, 'confirm_handover', { code: wrong, vehicle: 'AB12 CDE' })),
  )
  assert.deepEqual(
    tried.map(({ status }) => status),
    [422, 422, 422, 422, 422],
  )
  const right = { code: handover_code, vehicle: 'AB12 CDE' }
  const late = await acts(seller, id, 'confirm_handover', right)
  assert.deepEqual([late.status, late.body.code], [429, 'handover_code_tries'])
  assert.equal((await acts(buyer, id, 'confirm_handover', right)).status, 404, 'the code is the seller’s to enter')
  await yard.travel('61 minutes')
  const mistyped = await acts(seller, id, 'confirm_handover', { ...right, code: wrong })
  assert.match(mistyped.body.errors.code[0], /4 tries are left/)
  assert.equal((await acts(seller, id, 'confirm_handover', right)).status, 200)
})

test('an amend stops the inspection clock: withdrawn, it goes on with what was left; rejected, there are two days', async () => {
  const { id, buyer } = await received()
  assert.equal(await hoursLeft(id), 72)
  await yard.travel('30 hours')
  await plays(yard, buyer, id, 'request_amend', 'ReviewAmend', { lines: [{ type: 'weight', listed: '1000', found: '900' }] })
  assert.equal(await hoursLeft(id), 48, 'the seller’s time to answer')
  await yard.travel('50 hours')
  await plays(yard, buyer, id, 'withdraw_amend', 'ReceivedGoods')
  assert.equal(await hoursLeft(id), 42)
  await plays(yard, buyer, id, 'request_amend', 'ReviewAmend', { lines: [{ type: 'weight', listed: '1000', found: '950' }] })
  await plays(yard, seller, id, 'reject_amend', 'ReceivedGoods')
  assert.equal(await hoursLeft(id), 48)
  assert.equal((await acts(buyer, id, 'request_amend')).status, 409, 'twice at most')
  await yard.travel('99 hours')
  while ((await statusOf(yard, id)) === 'ReceivedGoods') await yard.jobsDone()
  assert.equal((await stepsOf(yard, id)).at(-1), 'presume_accepted')
})

test('an issue stops the clock; released, it goes on, and one that had run out gets its whole time again', async () => {
  const { id } = await received()
  await yard.travel('12 hours')
  await plays(yard, admin, id, 'raise_issue', 'HasAdminIssue')
  await yard.travel('300 hours')
  assert.equal(await statusOf(yard, id), 'HasAdminIssue')
  assert.equal((await see(await clientOf(yard, seller.id), id)).former_status, 'ReceivedGoods')
  await plays(yard, admin, id, 'release', 'ReceivedGoods')
  assert.equal(await hoursLeft(id), 60)

  const { id: late } = await bought(yard, seller)
  await yard.travel('421 hours')
  while ((await statusOf(yard, late)) === 'DocumentsRequired') await yard.jobsDone()
  assert.equal((await stepsOf(yard, late)).at(-1), 'documents_late')
  await plays(yard, admin, late, 'release', 'DocumentsRequired')
  assert.equal(await hoursLeft(late), 120)
})

const remindersTo = async ({ email }: Merchant, id: string) => {
  await yard.jobsDone()
  return (await yard.outbox.list(email)).filter(({ subject, text }) => subject.startsWith('Waiting for you') && text.includes(id)).length
}

test('who is waited for is reminded at half of the window and a day before its end, and not once the sale has moved on', async () => {
  const buyer = await newBuyer(yard)
  const [slow, quick] = [await sold(yard, seller, buyer), await sold(yard, seller, buyer)]
  await paysByCard(yard, buyer, quick)
  assert.equal(await remindersTo(buyer, slow), 0)
  await yard.travel('37 hours')
  assert.deepEqual([await remindersTo(buyer, slow), await remindersTo(seller, slow)], [1, 0])
  await yard.travel('49 hours')
  assert.deepEqual([await remindersTo(buyer, slow), await remindersTo(buyer, quick)], [2, 0])
})

test('slots lie in the future and within fourteen days; a ticket comes with its weight; scrap needs the buyer’s licence', async () => {
  const { id, buyer } = await bought(yard, seller)
  const form = { weigh_at_buyer: true, load_images: [crypto.randomUUID()] }
  const refusedFor = async (more: Record<string, unknown>) => {
    const { status, body } = await acts(seller, id, 'submit_documents', { ...form, ...more })
    return [status, ...Object.keys(body.errors ?? {})]
  }
  const slot = new Date(Date.now() + 24 * HOUR_MS).toISOString()
  assert.deepEqual(await refusedFor({ slot: new Date(Date.now() - HOUR_MS).toISOString() }), [422, 'slot'])
  assert.deepEqual(await refusedFor({ slot: new Date(Date.now() + 15 * 24 * HOUR_MS).toISOString() }), [422, 'slot'])
  assert.deepEqual(await refusedFor({ slot, ticket_weight_kg: 900 }), [422, 'weighbridge_ticket'])
  assert.deepEqual(await refusedFor({ slot, weighbridge_ticket: crypto.randomUUID() }), [422, 'ticket_weight_kg'])
  assert.deepEqual(await refusedFor({ slot, weigh_at_buyer: false }), [422, 'weighbridge_ticket'])
  await setUser(yard, buyer.id, { licence_status: 'none' })
  assert.deepEqual(await refusedFor({ slot }), [409])
  await setUser(yard, buyer.id, { licence_status: 'approved' })
  await plays(yard, seller, id, 'submit_documents', 'PendingCollection')
})

test('two purchases at once cannot both take the last of a buyer’s limit', async () => {
  const buyer = await newBuyer(yard)
  await setUser(yard, buyer.id, { deferred_days: 14, deferred_limit: TOTAL })
  const sales = [
    await sold(yard, seller, buyer, { accepts_deferred_payment: true }),
    await sold(yard, seller, buyer, { accepts_deferred_payment: true }),
  ]
  const answers = await Promise.all(sales.map((id) => acts(buyer, id, 'use_deferred_terms')))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409],
  )
})
