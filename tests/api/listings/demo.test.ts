import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { materials } from '#contract/values/materials.ts'
import { findViolations } from '#database/check.ts'
import { fillDemo } from '#database/demo/fill-demo.ts'
import { storeDemoPhoto } from '#server/features/storage/demo-files.ts'
import { diskStore } from '#server/providers/files-disk.ts'
import { freshDatabase } from '#tests/support/processes/postgres.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
before(async () => (yard = await openYard({ demo: true })))
after(() => yard.close())

const ask = async (query: string) => (await yard.owner.query(query)).rows

test('the demo has 60 listings or more, of every material, around UK towns, no two alike', async () => {
  const [counts] = await ask(
    'select count(*)::int as listings, count(distinct title)::int as titles, count(distinct description)::int as texts, count(distinct town)::int as towns from listings',
  )
  assert.ok(counts.listings >= 60, String(counts.listings))
  assert.deepEqual([counts.titles, counts.texts], [counts.listings, counts.listings])
  assert.ok(counts.towns >= 12, String(counts.towns))
  const sold = (await ask('select distinct material_id from listings')).map(({ material_id }) => material_id)
  assert.deepEqual(new Set(sold), new Set(Object.keys(materials)))
})

test('the demo’s listings are in every status that is built, and hold what must always hold', async () => {
  const statuses = async () => (await ask('select distinct status from listings order by status')).map(({ status }) => status)
  while ((await ask(`select from listings where status = 'Active' and expires_at <= app_now()`)).length > 0) await pause(20)
  assert.deepEqual(await statuses(), [
    'Active',
    'AwaitingKYC',
    'AwaitingVatNumberVerification',
    'Expired',
    'HasAdminIssue',
    'InvoiceRequired',
    'NextBidder',
    'PendingPayment',
    'RemovedByAdmin',
    'ReservationPrice',
  ])
  assert.deepEqual(await findViolations(yard.owner), [])
})

test('52: each photo of the demo is there, whole, with its thumbnails', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const files = diskStore({ folder: await scratchFolder('files'), secret: 'x' })
    await fillDemo(database.url, { hashPassword: async () => '$argon2id$none', storePhoto: storeDemoPhoto(files) })
    const { rows: bare } = await client.query(
      'select title from listings l where not exists (select from listing_media where listing_id = l.id)',
    )
    assert.deepEqual(bare, [])
    const { rows } = await client.query('select object_key, sha256, thumbnails from storage_objects')
    for (const { object_key, sha256, thumbnails } of rows) {
      const bytes = await buffer(await files.read(object_key))
      assert.deepEqual(createHash('sha256').update(bytes).digest(), sha256)
      for (const key of Object.values<string>(thumbnails)) assert.ok(await files.head(key), key)
    }
    assert.equal((await files.list('', 10_000)).length, rows.length * 3)
  } finally {
    await client.end()
    await database.drop()
  }
})
