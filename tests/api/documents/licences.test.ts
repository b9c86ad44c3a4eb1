import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { warnOfLicences } from '#server/clock/licences.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { pdf } from '#tests/support/files/made-files.ts'
import { demoUser } from '#tests/support/people.ts'
import { left, newMember } from '#tests/support/auctions/sale.ts'
import { upload } from '#tests/support/files/stores.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

const spans = ['60d', '30d', '7d']

let yard: Yard
let db: Db
before(async () => {
  // a clock of the test's own: the server's looks for what nobody has
  yard = await openYard({ demo: true, env: { SETTINGS: JSON.stringify({ licence_warnings: [] }) } })
  db = openDatabase(yard.databaseUrl, 4)
})
after(async () => {
  await db.destroy()
  await closeSound(yard)
})

/** Logged in anew: a test that travels for weeks ends every session. */
async function approve(documentId: string): Promise<void> {
  const admin = await demoUser(yard, 'admin')
  assert.equal((await admin.post(`/api/v1/admin/documents/${documentId}/approve`)).status, 200)
}

async function file(client: Client): Promise<string> {
  return (await upload(client, { bytes: pdf(), mime_type: 'application/pdf', type: 3, storage_object_kind: 7 })).id
}

/** Somebody whose licence is approved for so long. */
async function licensee(days: number) {
  const person = await newMember(yard, { licence_status: 'none' })
  const storage_object_id = await file(person.client)
  const { rows } = await yard.owner.query(`select app_now() + make_interval(days => $1) as at`, [days])
  const document = { storage_object_id, kind: 'scrap_dealer_licence', expires_at: rows[0].at.toISOString() }
  const { body } = await person.client.put('/api/v1/auth/merchant-documents', { documents: [document] })
  await approve(body.data[0].id)
  return { ...person, document }
}

const warnings = async (email: string) => {
  await yard.jobsDone()
  return (await yard.outbox.list(email)).filter(({ subject }) => /licence ends/.test(subject)).map(({ subject }) => subject)
}

test('whose licence ends is told 60, 30 and 7 days before, each once, however many processes look', async () => {
  const { email } = await licensee(90)
  const told: [string, number][] = [
    ['29 days', 0],
    ['30 days 1 minute', 1],
    ['59 days', 1],
    ['60 days 1 minute', 2],
    ['83 days 1 minute', 3],
    ['89 days', 3],
  ]
  for (const [later, count] of told) {
    await yard.travel(later)
    await Promise.all(Array.from({ length: 4 }, () => warnOfLicences(db, spans)))
    assert.equal((await warnings(email)).length, count, later)
  }
  await yard.travel('0 days')
  assert.deepEqual((await warnings(email)).toSorted(), [
    'Your scrap dealer licence ends in 30 days · Yardbid',
    'Your scrap dealer licence ends in 60 days · Yardbid',
    'Your scrap dealer licence ends in 7 days · Yardbid',
  ])
})

test('several spans that passed at a standstill are one e-mail', async () => {
  const { email } = await licensee(90)
  await yard.travel('85 days')
  await warnOfLicences(db, spans)
  assert.deepEqual(await warnings(email), ['Your scrap dealer licence ends in 5 days · Yardbid'])
  await yard.travel('0 days')
})

test('a licence that is approved within a span is not warned of for that span, nor one that has lapsed', async () => {
  const { email } = await licensee(20)
  await warnOfLicences(db, spans)
  assert.deepEqual(await warnings(email), [])
  await yard.travel('21 days')
  await warnOfLicences(db, spans)
  assert.deepEqual(await warnings(email), [])
  await yard.travel('0 days')
})

test('a licence that is followed by a longer one is not warned of', async () => {
  const { client, email, document } = await licensee(70)
  const renewal = { ...document, storage_object_id: await file(client), expires_at: '2040-01-01' }
  const { body } = await client.put('/api/v1/auth/merchant-documents', { documents: [document, renewal] })
  const next = body.data.find((each: { storage_object_id: string }) => each.storage_object_id === renewal.storage_object_id)
  await approve(next.id)
  await yard.travel('65 days')
  await warnOfLicences(db, spans)
  assert.deepEqual(await warnings(email), [])
  await yard.travel('0 days')
})

test('an approved licence lets a member bid on scrap, and one that lapses stops it at that moment', async () => {
  const { client } = await licensee(10)
  const seller = await newMerchant(yard.owner)
  const bidden: string[] = []
  const bid = async () => {
    const { rows } = await yard.owner.query(`select date_trunc('milliseconds', app_now() + interval '1 day') as ends`)
    const listing = await newListing(yard.owner, seller, {
      starts_at: new Date(0),
      expires_at: rows[0].ends,
      first_expires_at: rows[0].ends,
    })
    const { status, body } = await client.post(`/api/v1/listings/${listing}/bids`, { amount: 100_00 }, { 'idempotency-key': listing })
    if (status !== 201) return body.code
    bidden.push(listing)
    return 201
  }
  assert.equal(await bid(), 201)
  // the session itself ends after a week without use: it is used on the way
  for (const later of ['3 days', '6 days', '9 days']) {
    await yard.travel(later)
    assert.equal(await bid(), 201, later)
  }
  await yard.travel('10 days 1 minute')
  assert.equal(await bid(), 'licence_missing')
  const { licence, server_time } = (await client.get('/api/v1/auth/merchant-documents')).body
  assert.ok(licence.status === 'approved' && licence.expires_at < server_time)
  // they end in their own time: none is closed before it was bidden on
  for (const id of bidden) await left(yard, id, 'Active')
  await yard.travel('0 days')
})

test('the server looks by itself', async () => {
  const other = await openYard({ env: { SETTINGS: JSON.stringify({ licence_warnings: ['60d'] }) } })
  try {
    const id = await newMerchant(other.owner, { licence_expires_at: null })
    await other.owner.query(
      `with filed as (
         insert into merchant_documents (user_id, kind, status, expires_at, reviewed_at)
         values ($1, 'scrap_dealer_licence', 'approved', date_trunc('milliseconds', app_now() + interval '59 days'), app_now() - interval '1 year')
         returning user_id, expires_at
       )
       update users set licence_expires_at = filed.expires_at from filed where id = filed.user_id`,
      [id],
    )
    const told = () => other.owner.query('select from licence_notices')
    while ((await told()).rowCount === 0) await pause(50)
    await other.jobsDone()
    assert.equal((await other.outbox.list(`${id}@example.test`)).length, 1)
  } finally {
    await closeSound(other)
  }
})
