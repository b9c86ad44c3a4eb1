import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { settings } from '#contract/settings.ts'
import { addDuration } from '#domain/working-days.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { recheckGate } from '#server/features/sales/public.ts'
import { serverPool, newListing } from '#tests/support/auctions/auction.ts'
import { pdf } from '#tests/support/files/made-files.ts'
import { failedVat, validVat } from '#tests/support/payments/vat.ts'
import {
  acts,
  act,
  actionsOf,
  codesOf,
  ended,
  left,
  newMember,
  see,
  setUser,
  stepsOf,
  type Merchant,
  openSale,
} from '#tests/support/auctions/sale.ts'
import { upload } from '#tests/support/files/stores.ts'
import { openYard } from '#tests/support/yard.ts'

const { yard, seller, ann } = await openSale('seller', 'ann')

const sold = (changes: Record<string, unknown> = {}) => ended(yard, seller, [[ann, 200_00]], changes)

test('an unverified account stops the sale until it is verified, which is found by itself', async () => {
  await setUser(yard, ann.id, { payment_account_verified: false })
  const id = await sold()
  const waiting = await see(ann.client, id)
  assert.deepEqual(
    [waiting.status.label, waiting.kyc_status, waiting.deadline.action, waiting.available_actions],
    ['Awaiting KYC', 'pending', 'Verify payment accounts', []],
  )
  await setUser(yard, ann.id, { payment_account_verified: true })
  assert.equal(await left(yard, id, 'AwaitingKYC'), 'PendingPayment')
  assert.deepEqual([(await see(ann.client, id)).kyc_status, (await stepsOf(yard, id)).at(-1)], ['verified', 'kyc_verified'])
})

test('whoever learns that an account is verified moves what waited for it, once', async () => {
  await setUser(yard, seller.id, { payment_account_verified: false })
  const [first, second] = [await sold(), await sold()]
  const pool = serverPool(yard.databaseUrl, 3)
  const read: SettingReader = async (key) => (settings[key].default === '3bd' ? '3h' : settings[key].default) as never
  assert.equal((await recheckGate(pool, read, ann.id)).length, 2, 'still waiting')
  assert.equal((await see(ann.client, first)).status.name, 'AwaitingKYC')
  await setUser(yard, seller.id, { payment_account_verified: true })
  await Promise.all([1, 2, 3].map(() => recheckGate(pool, read, seller.id)))
  await pool.end()
  for (const id of [first, second]) assert.deepEqual(await stepsOf(yard, id), ['end_sold', 'kyc_verified'])
})

test('a seller who is not verified in time cannot sell: Expired, every bid Closed', async () => {
  await setUser(yard, seller.id, { payment_account_verified: false })
  const id = await sold()
  await yard.travel('3 hours 1 minute')
  assert.equal(await left(yard, id, 'AwaitingKYC'), 'Expired')
  await setUser(yard, seller.id, { payment_account_verified: true })
  const seen = await see(ann.client, id)
  assert.deepEqual([seen.my_latest_bid.bid_status.name, seen.kyc_status, seen.amounts], ['Closed', 'failed', null])
})

test('a VAT number that failed stops the sale; the seller corrects it, or is not registered', async () => {
  await setUser(yard, seller.id, failedVat)
  const id = await sold()
  const waiting = await see(seller.client, id)
  assert.deepEqual([waiting.status.label, waiting.status.theme, waiting.amounts.vat.value], ['VAT Check Failed', 'danger', 40_00])
  assert.deepEqual([await actionsOf(seller.client, id), await actionsOf(ann.client, id)], [['correct_vat_number'], []])
  const refusals: [object, string][] = [
    [{}, 'vat_number'],
    [{ vat_number: 'GB123456789', not_vat_registered: true }, 'vat_number'],
    [{ vat_number: 'nonsense' }, 'vat_number'],
    [{ vat_number: 'GB555555500' }, 'vat_number'],
    [{ vat_number: 7 }, 'vat_number'],
    [{ not_vat_registered: 'yes' }, 'not_vat_registered'],
  ]
  for (const [body, field] of refusals) {
    const refused = await act(seller.client, id, 'correct_vat_number', body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, [field]], JSON.stringify(body))
  }
  await acts(seller.client, id, 'correct_vat_number', 'PendingPayment', { vat_number: 'GB 987654321' })
  const { rows } = await yard.owner.query('select vat_number, vat_status from users where id = $1', [seller.id])
  assert.deepEqual(rows, [{ vat_number: 'GB987654321', vat_status: 'valid' }])

  await setUser(yard, seller.id, failedVat)
  const other = await sold()
  const free = await acts(seller.client, other, 'correct_vat_number', 'PendingPayment', { not_vat_registered: true })
  assert.deepEqual([free.amounts.vat.value, free.amounts.total.value], [0, 200_00])
  await setUser(yard, seller.id, { not_vat_registered: false, ...validVat })
})

test('a VAT number that is found valid after all lets the sale go on; one that nobody corrects is looked at', async () => {
  await setUser(yard, seller.id, failedVat)
  const [fine, late] = [await sold(), await sold()]
  await yard.owner.query(`update listings set seller_id = $2 where id = $1`, [late, (await newMember(yard, failedVat)).id])
  await setUser(yard, seller.id, validVat)
  assert.equal(await left(yard, fine, 'AwaitingVatNumberVerification'), 'PendingPayment')
  assert.equal((await stepsOf(yard, fine)).at(-1), 'recheck_vat_number')
  await yard.travel('3 hours 1 minute')
  assert.equal(await left(yard, late, 'AwaitingVatNumberVerification'), 'HasAdminIssue')
  const { rows } = await yard.owner.query('select former_status, due_at from listings where id = $1', [late])
  assert.deepEqual(rows, [{ former_status: 'AwaitingVatNumberVerification', due_at: null }])
})

test('a seller who invoices himself uploads the invoice, whose total is the computed one', async () => {
  const id = await sold({ seller_invoices: true })
  assert.equal((await see(ann.client, id)).status.label, 'Pending Seller Invoice')
  assert.deepEqual(await actionsOf(seller.client, id), ['upload_invoice'])
  const paper = (who: Merchant, storage_object_kind: number) => uploadPaper(who, { storage_object_kind })
  const invoice = await paper(seller, 8)
  const refusals: [object, string][] = [
    [{}, 'invoice'],
    [{ invoice: randomUUID() }, 'invoice'],
    [{ invoice: 'nonsense' }, 'invoice'],
    [{ invoice: await paper(ann, 8) }, 'invoice'],
    [{ invoice: await paper(seller, 1) }, 'invoice'],
    [{ invoice, total: 239_99 }, 'total'],
    [{ invoice, total: 240.5 }, 'total'],
    [{ invoice, status: 'PendingPayment' }, 'status'],
  ]
  for (const [body, field] of refusals) {
    const refused = await act(seller.client, id, 'upload_invoice', body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, [field]], JSON.stringify(refused.body))
  }
  const clicks = await Promise.all([1, 2, 3].map(() => act(seller.client, id, 'upload_invoice', { invoice, total: 240_00 })))
  assert.deepEqual(codesOf(clicks), [200, 409, 409])
  assert.equal((await seller.client.delete(`/api/v1/storage-object/${invoice}/`)).status, 409, 'what a sale holds cannot be deleted')
  assert.equal(
    (await act(seller.client, await sold({ seller_invoices: true }), 'upload_invoice', { invoice })).status,
    422,
    'nor used again',
  )
})

test('26: a document that was uploaded without a kind takes that of the field it is first used for', async () => {
  const id = await sold({ seller_invoices: true })
  const invoice = await uploadPaper(seller)
  const kindOf = async () => (await yard.owner.query('select storage_object_kind from storage_objects where id = $1', [invoice])).rows
  assert.equal((await act(seller.client, id, 'upload_invoice', { invoice, total: 1 })).status, 422)
  assert.deepEqual(await kindOf(), [{ storage_object_kind: null }], 'a step that was refused leaves it as it was')
  assert.equal((await act(seller.client, id, 'upload_invoice', { invoice })).status, 200)
  assert.deepEqual(await kindOf(), [{ storage_object_kind: 8 }])
})

const uploadPaper = async ({ client }: Merchant, kind: { storage_object_kind?: number } = {}) =>
  (await upload(client, { bytes: pdf(), mime_type: 'application/pdf', filename: 'invoice.pdf', type: 2, ...kind })).id

test('without the seller’s invoice the platform issues it when the time is over', async () => {
  const id = await sold({ seller_invoices: true })
  assert.equal((await see(seller.client, id)).deadline.action, 'Upload the invoice')
  await yard.travel('3 hours 1 minute')
  assert.equal(await left(yard, id, 'InvoiceRequired'), 'PendingPayment')
  for (const { client } of [seller, ann]) {
    const [latest] = (await client.get(`/api/v1/listings/${id}/events`)).body.data.slice(-1)
    assert.deepEqual([latest.label, latest.by], ['Invoice issued by Yardbid', 'Yardbid'])
    assert.equal((await see(client, id)).amounts.due.value, 240_00)
  }
  await yard.jobsDone()
  const lettersTo = async ({ email }: Merchant) =>
    (await yard.outbox.list(email)).filter(({ text }) => text.includes(id)).map(({ subject }) => subject.split(':')[0])
  assert.deepEqual(await lettersTo(seller), ['We have issued the invoice', 'Sold'])
  // the card of this buyer is not known to the provider, so the holding fee asks for another
  assert.deepEqual(new Set(await lettersTo(ann)), new Set(['You won', 'Your card needs you', 'Your purchase goes on']))
  assert.deepEqual(
    [await actionsOf(seller.client, id), await actionsOf(ann.client, id)],
    [['cancel_by_agreement'], ['pay', 'cancel_by_agreement']],
  )
})

test('media that are still checked hold a listing back; one that is rejected stops it, and so does half an hour', async () => {
  const processing = async (state: string) => {
    const id = await newListing(yard.owner, seller.id, { status: 'HasAdminIssue', expires_at: null, first_expires_at: null })
    const { rows } = await yard.owner.query(
      `insert into storage_objects (owner_id, upload_kind, filename, mime_type, file_size, state, rejection)
       values ($1, 1, 'a.png', 'image/png', 9, $2, case when $2 = 'rejected' then 'No' end) returning id`,
      [seller.id, state],
    )
    await yard.owner.query('insert into listing_media values ($1, $2, 1)', [id, rows[0].id])
    await yard.owner.query(`update listings set status = 'Processing' where id = $1`, [id])
    return id
  }
  assert.equal(await left(yard, await processing('rejected'), 'Processing'), 'HasAdminIssue')
  const id = await processing('uploaded')
  const marker = await processing('rejected')
  await left(yard, marker, 'Processing')
  assert.equal((await see(seller.client, id)).status.name, 'Processing')
  await yard.travel('31 minutes')
  assert.equal(await left(yard, id, 'Processing'), 'HasAdminIssue')
  assert.deepEqual([await stepsOf(yard, marker), await stepsOf(yard, id)], [['flag'], ['get_stuck']])

  await yard.travel('0 seconds')
  const withdrawn = await processing('uploaded')
  assert.deepEqual(await actionsOf(seller.client, withdrawn), ['withdraw'])
  await acts(seller.client, withdrawn, 'withdraw', 'Expired')
  // the product links only what is ready: these were put there by hand
  await yard.owner.query(`delete from listing_media m using storage_objects o where o.id = m.storage_object_id and o.state <> 'ready'`)
})

test('a deadline counts working days, and does not move when the setting does', async () => {
  const other = await openYard()
  const [from, to] = [await newMember(other), await newMember(other, { payment_account_verified: false })]
  const id = await ended(other, from, [[to, 200_00]])
  const { rows } = await other.owner.query('select entered_at, due_at from listings where id = $1', [id])
  assert.deepEqual(rows[0].due_at, addDuration(rows[0].entered_at, '3bd'))
  await other.owner.query(`insert into settings (key, value) values ('kyc_window', '"1h"')`)
  assert.equal((await see(to.client, id)).deadline.at, rows[0].due_at.toISOString())
  await other.close()
})
