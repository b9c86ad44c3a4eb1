import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Client } from '#tests/support/client.ts'
import { docx, gif, mp4, pdf, png } from '#tests/support/made-files.ts'
import { demoUser, goodPassword, signUp } from '#tests/support/people.ts'
import { fetchBytes, reserve, upload } from '#tests/support/stores.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

const PATH = '/api/v1/auth/merchant-documents'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

let yard: Yard
let admin: Client
before(async () => {
  yard = await openYard({ demo: true })
  admin = await demoUser(yard, 'admin')
})
after(() => closeSound(yard))

const purpose = { type: 3, storage_object_kind: 7 }

async function file(client: Client, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, id, body } = await upload(client, {
    bytes: pdf(),
    mime_type: 'application/pdf',
    filename: 'licence.pdf',
    ...purpose,
    ...changes,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return id
}

const licence = (storage_object_id: string, changes: Record<string, unknown> = {}) => ({
  storage_object_id,
  kind: 'scrap_dealer_licence',
  number: 'SMD/2031',
  council: 'Leeds City Council',
  expires_at: '2035-01-31',
  ...changes,
})
const put = (client: Client, ...documents: object[]) => client.put(PATH, { documents })
const list = async (client: Client) => (await client.get(PATH)).body
const approve = (id: string, body?: object) => admin.post(`/api/v1/admin/documents/${id}/approve`, body)
const reject = (id: string, reason = 'The photo is blurred.') => admin.post(`/api/v1/admin/documents/${id}/reject`, { reason })
const licenceRow = async (id: string) =>
  (await yard.owner.query('select licence_status as status, licence_expires_at as expires_at from users where id = $1', [id])).rows[0]

/** Somebody with one licence that waits. */
async function applicant(changes: Record<string, unknown> = {}) {
  const person = await signUp(yard)
  const storageId = await file(person.client)
  const { status, body } = await put(person.client, licence(storageId, changes))
  assert.equal(status, 200, JSON.stringify(body))
  return { ...person, storageId, documentId: body.data[0].id as string }
}

test('documents are saved with their message, listed with their status, and wait for review', async () => {
  const { client, id } = await signUp(yard)
  assert.deepEqual((await list(client)).data, [])
  const photo = await file(client, { bytes: await png(), mime_type: 'image/png', filename: 'card.png' })
  const paper = await file(client)
  const { status, body } = await put(client, licence(photo), { storage_object_id: paper, kind: 'waste_carrier' })
  assert.deepEqual([status, body.message], [200, 'Successfully updated documents'])
  const { data, licence: state } = await list(client)
  assert.deepEqual(body.data, data)
  assert.deepEqual(
    data.map(({ kind, number, council, status: how, expires_at, file: { file_name } }: any) => [
      kind,
      number,
      council,
      how,
      expires_at,
      file_name,
    ]),
    [
      ['scrap_dealer_licence', 'SMD/2031', 'Leeds City Council', 'pending', '2035-02-01T00:00:00.000Z', 'card.png'],
      ['waste_carrier', null, null, 'pending', null, 'licence.pdf'],
    ],
  )
  assert.ok(data[0].file.thumbnail_url, 'a photo has its preview')
  assert.deepEqual(state, { status: 'pending', expires_at: null })
  assert.deepEqual(await licenceRow(id), { status: 'pending', expires_at: null })
})

for (const [mime_type, make] of Object.entries({ 'image/jpeg': null, 'image/png': png, 'application/pdf': pdf, [DOCX]: docx })) {
  test(`${mime_type} is accepted`, async () => {
    const { client } = await signUp(yard)
    const bytes = make
      ? await make()
      : await (
          await import('sharp')
        )
          .default(await png())
          .jpeg()
          .toBuffer()
    assert.equal((await put(client, licence(await file(client, { bytes, mime_type })))).status, 200)
  })
}

for (const [mime_type, make] of Object.entries({
  'image/gif': gif,
  'video/mp4': mp4,
  'text/plain': () => Buffer.from('x'),
  'application/msword': pdf,
})) {
  test(`${mime_type} is refused before a byte is sent`, async () => {
    const { client } = await signUp(yard)
    const { status, body } = await reserve(client, { bytes: await make(), mime_type, ...purpose })
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['mime_type']])
  })
}

const elsewhere: [string, (client: Client) => Promise<string>][] = [
  ['somebody else’s file', async () => file((await signUp(yard)).client)],
  ['a photo of a listing', async (client) => (await upload(client, { bytes: await png(), mime_type: 'image/png' })).id],
  ['a weighbridge ticket', (client) => file(client, { type: 2, storage_object_kind: 1 })],
  ['a user’s file of another kind', (client) => file(client, { storage_object_kind: 8 })],
  [
    'a file that has not arrived',
    async (client) => (await reserve(client, { bytes: pdf(), mime_type: 'application/pdf', ...purpose })).body.data.storage_object_id,
  ],
  [
    'a file that was removed',
    async (client) => {
      const id = await file(client)
      await client.delete(`/api/v1/storage-object/${id}/`)
      return id
    },
  ],
  ['nothing at all', async () => randomUUID()],
]
for (const [what, make] of elsewhere) {
  test(`${what} is no document, and nothing is saved with it`, async () => {
    const { client } = await signUp(yard)
    const good = await file(client)
    const { status, body } = await put(client, licence(good), licence(await make(client)))
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['documents.1.storage_object_id']])
    assert.deepEqual((await list(client)).data, [])
  })
}

test('five documents are taken, six are refused with the words of the specification', async () => {
  const { client } = await signUp(yard)
  const ids: string[] = []
  while (ids.length < 6) ids.push(await file(client))
  const { status, body } = await put(client, ...ids.map((id) => licence(id)))
  assert.deepEqual([status, body.errors], [422, { documents: ['File upload needs at least one and up to 5 files'] }])
  assert.equal((await put(client, ...ids.slice(1).map((id) => licence(id)))).status, 200)
  assert.equal((await list(client)).data.length, 5)
})

const wrong: [string, Record<string, unknown>, string][] = [
  ['a kind that does not exist', { kind: 'passport' }, 'documents.0.kind'],
  ['an end that is over', { expires_at: '2020-01-01' }, 'documents.0.expires_at'],
  ['an end that is no day', { expires_at: 'soon' }, 'documents.0.expires_at'],
  ['a number beyond all measure', { number: 'x'.repeat(101) }, 'documents.0.number'],
  ['a field that is not known', { status: 'approved' }, 'documents.0.status'],
]
for (const [what, changes, field] of wrong) {
  test(`${what} is refused under its field`, async () => {
    const { client } = await signUp(yard)
    const { status, body } = await put(client, licence(await file(client), changes))
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
  })
}

test('the same file twice, and no list at all, are refused', async () => {
  const { client } = await signUp(yard)
  const id = await file(client)
  assert.deepEqual(Object.keys((await put(client, licence(id), licence(id.toUpperCase()))).body.errors), ['documents'])
  assert.equal((await client.put(PATH, {})).status, 422)
})

test('a document stays as it is while it is named; one left out goes with its file', async () => {
  const { client, storageId, documentId } = await applicant()
  await approve(documentId)
  const other = await file(client)
  await put(client, { storage_object_id: storageId, kind: 'scrap_dealer_licence' }, { storage_object_id: other, kind: 'other' })
  const { data } = await list(client)
  assert.deepEqual([data[0].id, data[0].status, data[0].number], [documentId, 'approved', 'SMD/2031'])
  const { url } = data[0].file.media
  assert.equal((await fetchBytes(yard, url, client)).status, 200)

  await put(client, { storage_object_id: other, kind: 'other' })
  assert.deepEqual((await list(client)).licence, { status: 'none', expires_at: null })
  assert.equal((await fetchBytes(yard, url, client)).status, 404)
  assert.equal((await put(client)).status, 200)
  assert.deepEqual((await list(client)).data, [])
})

for (const changes of [{ kind: 'waste_carrier' }, { number: 'SMD/9' }, { council: null }, { expires_at: '2040-01-01' }]) {
  test(`a document that was approved and says something else (${JSON.stringify(changes)}) is looked at again, as another one`, async () => {
    const { client, id, storageId, documentId } = await applicant()
    await approve(documentId)
    await put(client, licence(storageId, changes))
    const { data } = await list(client)
    assert.deepEqual([data.length, data[0].status, data[0].reviewed_at], [1, 'pending', null])
    assert.notEqual((await licenceRow(id)).status, 'approved')
    assert.equal((await approve(documentId)).status, 404, 'what was looked at is no longer there')
  })
}

test('a file that is filed cannot be deleted under its document', async () => {
  const { client, storageId } = await applicant()
  assert.equal((await client.delete(`/api/v1/storage-object/${storageId}/`)).status, 409)
  assert.equal((await list(client)).data.length, 1)
})

test('a document is opened by its owner and by an admin, and is not there for anybody else', async () => {
  const { client } = await applicant()
  const { url } = (await list(client)).data[0].file.media
  const stranger = await demoUser(yard, 'buyer')
  const answers = []
  for (const who of [client, admin, stranger, undefined]) answers.push((await fetchBytes(yard, url, who)).status)
  assert.deepEqual(answers, [200, 200, 404, 404])
  const { headers } = await fetchBytes(yard, url, admin)
  assert.equal(headers.get('cache-control'), 'private, no-store')
  const other = await file(client, { type: 2, storage_object_kind: 1 })
  assert.equal((await fetchBytes(yard, `/files/${other}/document.pdf`, admin)).status, 404, 'an admin opens merchant documents alone')
})

test('the admin’s calls are not there for anybody else', async () => {
  const { client, documentId } = await applicant()
  const base = '/api/v1/admin/documents'
  for (const who of [client, await demoUser(yard, 'seller')]) {
    assert.equal((await who.get(base)).status, 404)
    assert.equal((await who.get(`${base}/${documentId}`)).status, 404)
    assert.equal((await who.post(`${base}/${documentId}/approve`)).status, 404)
    assert.equal((await who.post(`${base}/${documentId}/reject`, { reason: 'x' })).status, 404)
  }
  assert.equal((await yard.client().get(base)).status, 401)
  for (const id of [randomUUID(), 'x', '%00']) {
    assert.equal((await admin.get(`${base}/${id}`)).status, 404)
    assert.equal((await approve(id)).status, 404)
    assert.equal((await reject(id)).status, 404)
  }
})

test('an approval lets its owner bid until the day given, is written down and told, and cannot be repeated', async () => {
  const { client, id, email, documentId } = await applicant()
  const { status, body } = await approve(documentId, { expires_at: '2036-06-30' })
  assert.deepEqual(
    [status, body.data.status, body.data.expires_at, body.data.user.email],
    [200, 'approved', '2036-06-30T23:00:00.000Z', email],
  )
  assert.deepEqual((await list(client)).licence, { status: 'approved', expires_at: '2036-06-30T23:00:00.000Z' })
  assert.deepEqual(await licenceRow(id), { status: 'approved', expires_at: new Date('2036-06-30T23:00:00Z') })

  const again = await approve(documentId)
  assert.deepEqual([again.status, again.body.code], [409, 'document_reviewed'])
  assert.equal((await reject(documentId)).status, 409)
  const { rows } = await yard.owner.query('select actor, act, details from audit_log where subject_user_id = $1', [id])
  assert.equal(rows.length, 1)
  assert.deepEqual([rows[0].actor, rows[0].act, rows[0].details.document_id], ['admin@yardbid.test', 'approve_document', documentId])

  await yard.jobsDone()
  const mails = (await yard.outbox.list(email)).filter(({ subject }) => /approved/.test(subject))
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', /until 30 June 2036/)
})

test('a rejection says why and what to do, in the list and by e-mail', async () => {
  const { client, id, email, documentId } = await applicant()
  assert.equal((await admin.post(`/api/v1/admin/documents/${documentId}/reject`, { reason: ' ' })).status, 422)
  assert.equal((await reject(documentId, 'The council’s stamp is missing.')).status, 200)
  const { data, licence: state } = await list(client)
  assert.deepEqual([data[0].status, data[0].reason, state.status], ['rejected', 'The council’s stamp is missing.', 'rejected'])
  assert.equal((await licenceRow(id)).status, 'rejected')
  await yard.jobsDone()
  const [mail] = (await yard.outbox.list(email)).filter(({ subject }) => /could not approve/.test(subject))
  assert.match(mail?.text ?? '', /stamp is missing/)
  assert.match(mail?.text ?? '', /account\/merchant-documents/)
  const { rows } = await yard.owner.query('select act, details from audit_log where subject_user_id = $1', [id])
  assert.deepEqual([rows[0].act, rows[0].details.reason], ['reject_document', 'The council’s stamp is missing.'])
})

test('the end of a paper may be written in any zone', async () => {
  const { documentId } = await applicant({ expires_at: '2035-01-31T12:00:00+23:00' })
  const { rows } = await yard.owner.query('select expires_at from merchant_documents where id = $1', [documentId])
  assert.deepEqual(rows[0].expires_at, new Date('2035-01-30T13:00:00Z'))
})

test('what has expired is not approved, whoever says when it ends', async () => {
  const { documentId } = await applicant()
  const { status, body } = await approve(documentId, { expires_at: '2020-01-01' })
  assert.deepEqual([status, Object.keys(body.errors)], [422, ['expires_at']])
  const { documentId: later } = await applicant({ expires_at: new Date(Date.now() + 60_000).toISOString() })
  await yard.travel('2 minutes')
  const late = await approve(later)
  await yard.travel('0 minutes')
  assert.equal(late.status, 422)
})

test('of many approvals and rejections at once one counts', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, email, documentId } = await applicant()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => (nth % 2 ? approve(documentId) : reject(documentId))))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, ...Array<number>(9).fill(409)],
    )
    const won = answers.find(({ status }) => status === 200)?.body.data.status
    assert.equal((await licenceRow(id)).status, won)
    assert.equal((await yard.owner.query('select from audit_log where subject_user_id = $1', [id])).rowCount, 1)
    await yard.jobsDone()
    assert.equal((await yard.outbox.list(email)).filter(({ subject }) => /licence/.test(subject)).length, 1)
  }
})

test('an approval that meets the removal of its document leaves no licence without a document', async () => {
  for (let round = 0; round < 5; round++) {
    const { client, id, documentId } = await applicant()
    const [approved, removed] = await Promise.all([approve(documentId), put(client)])
    assert.equal(removed.status, 200)
    assert.ok([200, 404].includes(approved.status), String(approved.status))
    assert.equal((await licenceRow(id)).status, 'none')
  }
})

test('many saves at once leave the documents of one of them', async () => {
  const { client } = await signUp(yard)
  const ids: string[] = []
  while (ids.length < 5) ids.push(await file(client))
  const answers = await Promise.all(ids.map((id) => put(client, licence(id))))
  assert.ok(answers.some(({ status }) => status === 200))
  assert.equal((await list(client)).data.length, 1)
})

test('an approved licence that is still valid wins over one that waits, and over one that was rejected', async () => {
  const { client, id, storageId, documentId } = await applicant({ expires_at: '2030-01-01' })
  await approve(documentId)
  const renewal = await file(client)
  const { body } = await put(
    client,
    { storage_object_id: storageId, kind: 'scrap_dealer_licence' },
    licence(renewal, { expires_at: '2040-01-01' }),
  )
  const approved = { status: 'approved', expires_at: new Date('2030-01-02') }
  assert.deepEqual(await licenceRow(id), approved)
  const next = body.data.find((each: { storage_object_id: string }) => each.storage_object_id === renewal).id
  await reject(next)
  assert.deepEqual(await licenceRow(id), approved)
})

test('only a scrap dealer licence makes one', async () => {
  const { id, documentId } = await applicant({ kind: 'waste_carrier' })
  await approve(documentId)
  assert.deepEqual(await licenceRow(id), { status: 'none', expires_at: null })
})

test('a demo user keeps the licence that is on record while another one waits', async () => {
  const buyer = await demoUser(yard, 'buyer')
  const before = (await list(buyer)).licence
  const id = await file(buyer)
  await put(buyer, licence(id))
  const { data, licence: state } = await list(buyer)
  assert.deepEqual([data.length, data[0].file, state], [2, null, before])
  await put(buyer)
  assert.deepEqual([(await list(buyer)).data.length, (await list(buyer)).licence], [1, before])
})

test('the list for review: those that wait the longest first, by pages, and by status', async () => {
  const waiting: string[] = []
  while (waiting.length < 3) waiting.push((await applicant()).documentId)
  const base = '/api/v1/admin/documents?filter[status]=pending&per_page=2'
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: any } = await admin.get(cursor ? `${base}&cursor=${cursor}` : base)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.meta.next_cursor
  }
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(seen.slice(-3), waiting)

  await approve(waiting[0] ?? '')
  const approved = (await admin.get('/api/v1/admin/documents?filter[status]=approved&per_page=60')).body.data
  assert.ok(approved.every(({ status }: { status: string }) => status === 'approved'))
  assert.ok(approved.some(({ id }: { id: string }) => id === waiting[0]))
  const all = (await admin.get('/api/v1/admin/documents?per_page=2')).body
  assert.deepEqual(
    all.data.map(({ id }: { id: string }) => id),
    [waiting[2], waiting[1]],
  )
  assert.equal((await admin.get(`${base}&cursor=${all.meta.next_cursor}`)).status, 422)
  assert.equal((await admin.get(`${base}&cursor=x`)).status, 422)
  assert.equal((await admin.get('/api/v1/admin/documents?filter[status]=lost')).status, 422)
})

test('one document for review comes with what its owner said in onboarding', async () => {
  const { client, documentId, email } = await applicant()
  await client.post('/api/v1/onboarding/profile', { activities: ['broker'], licence_number: 'SMD/1', company_number: 'SC123456' })
  const { status, body } = await admin.get(`/api/v1/admin/documents/${documentId}`)
  assert.equal(status, 200)
  assert.deepEqual([body.data.user.email, body.data.said.licence_number, body.data.said.company_number], [email, 'SMD/1', 'SC123456'])
  assert.equal((await fetchBytes(yard, body.data.file.media.url, admin)).status, 200)
})

test('erasing an account erases what it said and its documents', async () => {
  const { client, id, email } = await applicant()
  await client.post('/api/v1/onboarding/profile', { activities: ['broker'] })
  await client.delete('/api/v1/auth/me')
  await yard.travel('31 days')
  await yard.owner.query(`update jobs set run_at = app_now() where kind = 'erase_account'`)
  await yard.owner.query(`select pg_notify('jobs', '')`)
  await yard.jobsDone()
  await yard.travel('0 seconds')
  for (const table of ['onboarding_profiles', 'sites', 'merchant_documents'])
    assert.equal((await yard.owner.query(`select from ${table} where user_id = $1`, [id])).rowCount, 0, table)
  assert.equal((await yard.owner.query(`select from storage_objects where owner_id = $1 and state = 'ready'`, [id])).rowCount, 0)
  assert.equal((await yard.client().logIn(email, goodPassword)).status, 401)
})
