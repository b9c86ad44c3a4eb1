import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { file, licence, list, openDocumentYard, put } from '#tests/support/files/documents.ts'
import { demoUser } from '#tests/support/people.ts'
import { fetchBytes } from '#tests/support/files/stores.ts'

const { yard, admin, approve, reject, licenceRow, applicant } = await openDocumentYard()

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
  const { rows } = await yard.owner.query(`select actor, act, details from audit_entries where subject_user_id = $1 and kind = 'act'`, [id])
  assert.equal(rows.length, 1)
  assert.deepEqual([rows[0].actor, rows[0].act, rows[0].details.document_id], ['admin@yardbid.test', 'approve-document', documentId])

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
  const { rows } = await yard.owner.query(`select act, reason from audit_entries where subject_user_id = $1 and kind = 'act'`, [id])
  assert.deepEqual([rows[0].act, rows[0].reason], ['reject-document', 'The council’s stamp is missing.'])
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
  const { documentId: later } = await applicant({ expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await yard.travel('2 hours')
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
    assert.equal((await yard.owner.query(`select from audit_entries where subject_user_id = $1 and kind = 'act'`, [id])).rowCount, 1)
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
