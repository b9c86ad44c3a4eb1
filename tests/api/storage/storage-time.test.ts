import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Db } from '#server/db/db.ts'
import { forgetUnused } from '#server/features/storage/queries.ts'
import { storageJobs } from '#server/features/storage/sweep.ts'
import { forgetPassed } from '#server/jobs/forget-passed.ts'
import type { FileStore } from '#server/providers/files.ts'
import { diskStore } from '#server/providers/files-disk.ts'
import { s3Store } from '#server/providers/files-s3.ts'
import type { Client } from '#tests/support/client.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { mp4, pdf, png } from '#tests/support/files/made-files.ts'
import { demoUser } from '#tests/support/people.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { fetchBytes, put, reserve, s3Server, upload } from '#tests/support/files/stores.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let seller: Client
let db: Db
let ownerId: string
let filesFolder: string
const s3 = await s3Server({ lenient: true })
before(async () => {
  const dataDir = await scratchFolder('data')
  filesFolder = path.join(dataDir, 'files')
  yard = await openYard({ demo: true, env: { DATA_DIR: dataDir } })
  seller = await demoUser(yard, 'seller')
  db = openDatabase(yard.databaseUrl, 2)
  ownerId = (await seller.get('/api/v1/auth/me')).body.data.id
})
after(async () => {
  await db.destroy()
  await yard.close()
  await s3.close()
})

/** The files of uploads that are in progress. */
const drafts = () => readdir(path.join(filesFolder, 'partial')).catch((): string[] => [])

test('36: of two that send to one address at once, one is taken', async () => {
  const bytes = mp4(400_000)
  const { upload_url } = (await reserve(seller, { bytes, mime_type: 'video/mp4' })).body.data
  const answers = await Promise.all(Array.from({ length: 4 }, () => put(upload_url, bytes, 'video/mp4')))
  assert.deepEqual(
    answers.toSorted((a, b) => a - b),
    [200, 403, 403, 403],
  )
  assert.equal(await put(upload_url, bytes, 'video/mp4'), 403)
})

test('24: while one file is being sent to an address, others that send to it are refused before they take up space', async () => {
  const bytes = mp4(400_000)
  const { upload_url } = (await reserve(seller, { bytes, mime_type: 'video/mp4' })).body.data
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = new ReadableStream({
    async start(stream) {
      stream.enqueue(new Uint8Array(bytes.subarray(0, 200_000)))
      await promise
      stream.enqueue(new Uint8Array(bytes.subarray(200_000)))
      stream.close()
    },
  })
  const headers = { 'content-type': 'video/mp4', 'content-length': String(bytes.length) }
  const first = fetch(upload_url, { method: 'PUT', body: slow, headers, duplex: 'half' })
  // until the first one has begun, a later one could be taken in its place
  while ((await drafts()).length === 0) await pause(5)
  const others = await Promise.all(Array.from({ length: 15 }, () => put(upload_url, bytes, 'video/mp4')))
  assert.deepEqual(new Set(others), new Set([403]))
  assert.equal((await drafts()).length, 1)
  resolve()
  assert.equal((await first).status, 200)
})

test('24: a user’s files stay within the quota, also when many are reserved at once; what is removed counts no more', async () => {
  const client = await demoUser(yard, 'rival')
  const ask = () => reserve(client, { bytes: Buffer.alloc(600_000), mime_type: 'video/mp4' })
  await yard.owner.query(`insert into settings (key, value) values ('upload_quota_bytes', '1000000')`)
  const answers = await Promise.all(Array.from({ length: 5 }, ask))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409, 409, 409],
  )
  const refused = answers.find(({ status }) => status === 409)
  assert.equal(refused?.body.code, 'upload_quota_used')
  const id = answers.find(({ status }) => status === 201)?.body.data.storage_object_id
  assert.equal((await client.delete(`/api/v1/storage-object/${id}/`)).status, 204)
  assert.equal((await ask()).status, 201)
  await yard.owner.query(`delete from settings where key = 'upload_quota_bytes'`)
})

test('24: photos of a listing that is held or removed are served to its owner, bidders and administrators alone', async () => {
  const { id, body } = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
  const { url } = body.data.media
  const listing = await newListing(yard.owner, ownerId)
  await yard.owner.query('insert into listing_media values ($1, $2, 1)', [listing, id])
  const [buyer, rival, admin] = [await demoUser(yard, 'buyer'), await demoUser(yard, 'rival'), await demoUser(yard, 'admin')]
  assert.equal((await buyer.post(`/api/v1/listings/${listing}/bids`, { amount: 100_00 })).status, 201)
  const seenBy = async (...clients: (Client | undefined)[]) =>
    Promise.all(clients.map(async (client) => (await fetchBytes(yard, url, client)).status))
  const cachedAs = async (client?: Client) => (await fetchBytes(yard, url, client)).headers.get('cache-control')
  assert.deepEqual(await seenBy(undefined, rival, buyer, seller, admin), [200, 200, 200, 200, 200])
  assert.equal(await cachedAs(), 'public, max-age=600')
  // the clock would start a Processing listing whose photos are ready
  await yard.owner.query(
    `insert into set_aside_listings (listing_id, next_try_at, last_error) values ($1, app_now() + interval '1 day', 'stays where it is')`,
    [listing],
  )
  for (const status of ['HasAdminIssue', 'RemovedByAdmin', 'Processing']) {
    await yard.owner.query('update listings set status = $2 where id = $1', [listing, status])
    assert.deepEqual(await seenBy(undefined, rival, buyer, seller, admin), [404, 404, 200, 200, 200], status)
    assert.equal(await cachedAs(seller), 'private, no-store')
  }
  const copy = await newListing(yard.owner, ownerId)
  await yard.owner.query('insert into listing_media values ($1, $2, 1)', [copy, id])
  assert.deepEqual(await seenBy(undefined), [200], 'a copy that everybody sees shows it too')
})

test('24: a photo that a browser still has is not sent again', async () => {
  const { body } = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
  const first = await fetchBytes(yard, body.data.media.url)
  const tag = first.headers.get('etag') ?? ''
  assert.match(tag, /^"[\w.-]+"$/)
  const again = await fetchBytes(yard, body.data.media.url, undefined, { 'if-none-match': tag })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
})

test('an upload that breaks off leaves nothing, and may be sent again', async () => {
  const bytes = mp4(400_000)
  const { upload_url, storage_object_id: id } = (await reserve(seller, { bytes, mime_type: 'video/mp4' })).body.data
  const broken = new AbortController()
  const half = new ReadableStream({
    async start(stream) {
      stream.enqueue(new Uint8Array(bytes.subarray(0, 200_000)))
      await pause(100)
      broken.abort()
    },
  })
  const headers = { 'content-type': 'video/mp4', 'content-length': String(bytes.length) }
  await assert.rejects(fetch(upload_url, { method: 'PUT', body: half, headers, duplex: 'half', signal: broken.signal }))
  assert.equal((await seller.post(`/api/v1/storage-object/${id}/complete`)).body.code, 'not_uploaded')
  // until the server has noticed that the connection is gone, the address is in use
  while ((await drafts()).length > 0) await pause(5)
  assert.equal(await put(upload_url, bytes, 'video/mp4'), 200)
})

test('36: what is public is kept for minutes, what is private stays in no cache, and neither runs', async () => {
  const media = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
  const paper = await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', type: 3, storage_object_kind: 7 })
  const shown = (await fetchBytes(yard, media.body.data.media.url)).headers
  const kept = (await fetchBytes(yard, paper.body.data.media.url, seller)).headers
  assert.equal(shown.get('cache-control'), 'public, max-age=600')
  assert.equal(kept.get('cache-control'), 'private, no-store')
  assert.match(shown.get('content-disposition') ?? '', /^inline; /)
  assert.match(kept.get('content-disposition') ?? '', /^attachment; /)
  for (const headers of [shown, kept]) {
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('ranges: the beginning, the end, beyond the end, and what is none', async () => {
  const bytes = mp4(1_000)
  const { body } = await upload(seller, { bytes, mime_type: 'video/mp4' })
  const ask = (range: string) => fetchBytes(yard, body.data.media.url, undefined, { range })
  assert.deepEqual((await ask('bytes=0-')).bytes, bytes)
  assert.deepEqual((await ask('bytes=-10')).bytes, bytes.subarray(-10))
  assert.equal((await ask(`bytes=${bytes.length}-`)).status, 416)
  assert.equal((await ask('bytes=-0')).status, 416)
  for (const none of ['bytes=0-1,3-4', 'bytes=-', 'lines=1-2', 'bytes=5-2x']) assert.equal((await ask(none)).status, 200, none)
})

test('removing while it is checked leaves no file behind', async () => {
  const bytes = await png(2_000, 2_000)
  const { upload_url, storage_object_id: id } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
  await put(upload_url, bytes, 'image/png')
  const [completed, removed] = await Promise.all([
    seller.post(`/api/v1/storage-object/${id}/complete`),
    pause(20).then(() => seller.delete(`/api/v1/storage-object/${id}/`)),
  ])
  assert.ok([200, 404].includes(completed.status), String(completed.status))
  assert.equal(removed.status, 204)
  for (const name of ['image.png', '320.webp']) assert.equal((await fetchBytes(yard, `/files/${id}/${name}`)).status, 404)
})

test('36: an address of S3 expires', async (t) => {
  const { env, close } = await s3Server()
  t.after(close)
  const sign = (forSeconds: number) =>
    s3Store(optionsOf(env)).signedPut('incoming/x', { contentType: 'image/png', size: 1, expiresAt: new Date() }, forSeconds)
  assert.equal(await put(await sign(60), Buffer.from('x'), 'image/png'), 200)
  const short = await sign(1)
  await pause(2_100)
  assert.equal(await put(short, Buffer.from('x'), 'image/png'), 403)
})

const optionsOf = (env: Awaited<ReturnType<typeof s3Server>>['env']) => ({
  endpoint: env.S3_ENDPOINT,
  region: 'us-east-1',
  bucket: env.S3_BUCKET,
  accessKeyId: env.S3_ACCESS_KEY_ID,
  secretAccessKey: env.S3_SECRET_ACCESS_KEY,
})

const stores: Record<string, () => Promise<FileStore>> = {
  disk: async () => diskStore({ folder: await scratchFolder('files'), secret: 'x' }),
  s3: async () => s3Store(optionsOf(s3.env)),
}

test('one sweep of each kind is planned, however many servers start', async () => {
  await Promise.all([yard.another(), yard.another(), yard.another()])
  await yard.jobsDone()
  const { rows } = await yard.owner.query(
    `select kind, run_at > app_now() as later from jobs where kind in ('forget_passed', 'forget_uploads', 'sweep_storage') order by kind`,
  )
  assert.deepEqual(rows, [
    { kind: 'forget_passed', later: true },
    { kind: 'forget_uploads', later: true },
    { kind: 'sweep_storage', later: true },
  ])
})

test('20: the clean-up has no ceiling: 25,000 rows whose time is over are gone after one', async () => {
  await yard.owner.query(`insert into attempts (bucket, made_at) select 'x', app_now() - interval '30 days' from generate_series(1, 25000)`)
  assert.equal(await forgetPassed(db, 60_000), true)
  assert.equal((await yard.owner.query(`select from attempts where bucket = 'x'`)).rowCount, 0)
})

test('20: a notification is forgotten after 180 days', async () => {
  await yard.owner.query(
    `insert into notifications (user_id, kind, source, facts, link, in_app, happened_at, delivered_at)
     select $1, 'outbid', age::text, '{}', '/', false, app_now() - age, app_now()
     from unnest(array[interval '179 days', interval '181 days']) as age`,
    [ownerId],
  )
  assert.equal(await forgetPassed(db, 60_000), true)
  const { rows } = await yard.owner.query(`select source from notifications where user_id = $1 and kind = 'outbid' and not in_app`, [
    ownerId,
  ])
  assert.deepEqual(rows, [{ source: '179 days' }])
})

test('20: uploads that a sale holds do not keep unused ones behind them from being found', async () => {
  const insert = async (count: number) =>
    (
      await yard.owner.query<{ id: string }>(
        `insert into storage_objects (owner_id, upload_kind, storage_object_kind, filename, mime_type, file_size, state, object_key, sha256, ready_at)
         select $1, 2, 1, 'a.pdf', 'application/pdf', 1, 'ready', 'ready/' || gen_random_uuid(), sha256('x'), app_now() - interval '3 days' from generate_series(1, $2)
         returning id`,
        [ownerId, count],
      )
    ).rows.map(({ id }) => id)
  const held = await insert(3)
  await yard.owner.query(
    `insert into listing_documents (listing_id, storage_object_id, given_by, step, field)
     select (select id from listings limit 1), id, $2, 'submit_documents', 'documents' from unnest($1::uuid[]) as id`,
    [held, ownerId],
  )
  const [unused] = await insert(1)
  assert.deepEqual(
    (await forgetUnused(db, '24 hours', 1)).map(({ id }) => id),
    [unused],
  )
})

/** As if a listing had been made with it. */
const link = (id: string) =>
  yard.owner.query(
    `insert into listing_media (listing_id, storage_object_id, position)
     select id, $1, 1 from listings l where not exists (select from listing_media where listing_id = l.id) limit 1`,
    [id],
  )

async function hourlySweep(): Promise<void> {
  for (const kind of ['forget_passed', 'forget_uploads', 'sweep_storage'])
    await yard.owner.query(`insert into jobs (kind, payload) values ($1, '{}')`, [kind])
  await yard.owner.query('notify jobs')
  await yard.jobsDone()
}

// last: these move the clock
describe('time passes', () => {
  test('36: an address that has expired is refused', async () => {
    const bytes = await png()
    const { upload_url } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
    await yard.travel('16 minutes')
    assert.equal(await put(upload_url, bytes, 'image/png'), 403)
  })

  for (const [name, open] of Object.entries(stores)) {
    test(`52: the sweep of ${name} takes what nobody finished and what is nobody’s, a day later and not before`, async () => {
      const store = await open()
      const write = (key: string) =>
        store.write(key, Buffer.from('x'), { contentType: 'image/png', size: 1, disposition: 'inline', cacheControl: 'no-store' })
      const insert = async (state: string, more = '') =>
        (
          await yard.owner.query(
            `insert into storage_objects (owner_id, upload_kind, filename, mime_type, file_size, state${more && ', object_key, sha256, ready_at'})
             values ($1, 1, 'a.png', 'image/png', 1, $2${more}) returning id`,
            [ownerId, state],
          )
        ).rows[0].id as string
      const sweep = async () => {
        const jobs = storageJobs({ db, files: store })
        await jobs.forget_uploads({})
        await jobs.sweep_storage({})
      }
      const all = async () => (await store.list('', 100)).map(({ key }) => key).sort()

      const waiting = await insert('uploaded')
      const folder = randomUUID()
      const ready = await insert('ready', `, 'ready/${folder}/image.png', sha256('x'), app_now()`)
      await yard.owner.query('update storage_objects set object_key = $2 where id = $1', [ready, `ready/${ready}/${folder}/image.png`])
      await link(ready)
      const belonging = [`ready/${ready}/${folder}/320.webp`, `ready/${ready}/${folder}/image.png`]
      const strays = [
        `incoming/${waiting}`,
        `incoming/${randomUUID()}`,
        `ready/${ready}/${randomUUID()}/image.png`,
        `incoming/${ready}`,
        'odd',
      ]
      for (const key of [...belonging, ...strays]) await write(key)

      await yard.travel('23 hours')
      await sweep()
      assert.deepEqual(await all(), [...belonging, ...strays].sort())
      await yard.travel('48 hours')
      await sweep()
      assert.deepEqual(await all(), belonging)
      const { rows } = await yard.owner.query('select state from storage_objects where id = any($1) order by state', [[waiting, ready]])
      assert.deepEqual(rows, [{ state: 'deleted' }, { state: 'ready' }])
      assert.equal((await buffer(await store.read(belonging[0] ?? ''))).toString(), 'x')
      await yard.travel('0 hours')
    })

    test(`${name} lists its files in steps, each once`, async () => {
      const store = await open()
      for (const key of (await store.list('', 1_000)).map(({ key }) => key)) await store.remove(key)
      const keys = ['incoming/a', 'incoming/b', 'ready/a/1/320.webp', 'ready/a/1/image.png', 'ready/b/2/image.png']
      for (const key of keys)
        await store.write(key, Buffer.from('x'), { contentType: 'image/png', size: 1, disposition: 'inline', cacheControl: 'no-store' })
      const seen: string[] = []
      for (let step = await store.list('', 2); step.length > 0; step = await store.list(seen.at(-1) ?? '', 2))
        seen.push(...step.map(({ key }) => key))
      assert.deepEqual(seen, keys)
    })
  }

  test('an upload that no listing took is removed a day after it was ready; a listing’s and a user’s own document stay', async () => {
    const photo = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
    const taken = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
    const paper = await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', type: 2, storage_object_kind: 1 })
    const licence = await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', type: 3, storage_object_kind: 7 })
    await link(taken.id)
    const states = async () => {
      await hourlySweep()
      const ids = [photo.id, taken.id, paper.id, licence.id]
      const { rows } = await yard.owner.query('select state from storage_objects where id = any($1) order by array_position($1, id)', [ids])
      return rows.map(({ state }) => state)
    }
    await yard.travel('23 hours')
    assert.deepEqual(await states(), ['ready', 'ready', 'ready', 'ready'])
    await yard.travel('25 hours')
    assert.deepEqual(await states(), ['deleted', 'ready', 'deleted', 'ready'])
    for (const url of [photo.body.data.media.url, photo.body.data.thumbnail_url]) assert.equal((await fetchBytes(yard, url)).status, 404)
    assert.equal((await fetchBytes(yard, taken.body.data.media.url)).status, 200)
    await yard.travel('0 hours')
  })

  test('what is over is forgotten within the hour: answers, tries, sessions, links; what still counts is kept', async () => {
    const [fresh, old] = [randomUUID(), randomUUID()]
    const rows: [table: string, columns: string, ofAge: (age: string) => string, over: string, counts: string][] = [
      ['idempotent_answers', 'user_id, key, body_hash, answer, created_at', (age) => `$1, $2, '', '{}', ${age}`, '25 hours', '23 hours'],
      ['attempts', 'bucket, made_at', (age) => `$1::text || $2, ${age}`, '25 hours', '23 hours'],
      [
        'sessions',
        'user_id, token_hash, last_seen_at',
        (age) => `$1, sha256($2::text::bytea), ${age}`,
        '7 days 1 minute',
        '6 days 23 hours',
      ],
      [
        'email_tokens',
        'user_id, token_hash, purpose, email, used_at, expires_at',
        (age) => `$1, sha256($2::text::bytea), 'verify_email', 'a@b.test', app_now(), ${age}`,
        '25 hours',
        '23 hours',
      ],
    ]
    for (const [table, columns, values, over, counts] of rows) {
      for (const [key, age] of [
        [old, over],
        [fresh, counts],
      ] as const) {
        await yard.owner.query(`insert into ${table} (${columns}) values (${values(`app_now() - interval '${age}'`)})`, [ownerId, key])
      }
    }
    const count = async () => {
      const counts: number[] = []
      for (const [table] of rows) counts.push((await yard.owner.query(`select count(*)::int as n from ${table}`)).rows[0].n)
      return counts
    }
    const before = await count()
    await hourlySweep()
    const after = await count()
    assert.deepEqual(
      after.map((n, nth) => (before[nth] ?? 0) - n),
      rows.map(() => 1),
    )
  })
})
