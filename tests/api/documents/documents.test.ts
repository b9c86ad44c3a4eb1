import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '#tests/support/client.ts'
import { DOCUMENTS, file, licence, list, openDocumentYard, purpose, put } from '#tests/support/files/documents.ts'
import { docx, gif, mp4, pdf, png } from '#tests/support/files/made-files.ts'
import { demoUser, goodPassword, signUp } from '#tests/support/people.ts'
import { fetchBytes, reserve, upload } from '#tests/support/files/stores.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const { yard, admin, approve, licenceRow, applicant } = await openDocumentYard()

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
  assert.equal((await client.put(DOCUMENTS, {})).status, 422)
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

test('many saves at once leave the documents of one of them', async () => {
  const { client } = await signUp(yard)
  const ids: string[] = []
  while (ids.length < 5) ids.push(await file(client))
  const answers = await Promise.all(ids.map((id) => put(client, licence(id))))
  assert.ok(answers.some(({ status }) => status === 200))
  assert.equal((await list(client)).data.length, 1)
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
