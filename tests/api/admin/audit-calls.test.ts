import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rolesAllowed, type Access } from '#contract/endpoint.ts'
import { buildApp } from '#server/app.ts'
import { entriesOf } from '#tests/support/audit.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { act, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import { file, licence, put } from '#tests/support/files/documents.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

// Every call of the back office that is answered leaves one entry.

let yard: Yard
let admin: Client
let support: Client
let seller: Merchant
before(async () => {
  yard = await openYard({ demo: true })
  admin = await demoUser(yard, 'admin')
  support = await demoUser(yard, 'support')
  seller = await newMember(yard)
})
after(() => closeSound(yard))

const strike = async () =>
  (await yard.owner.query(`insert into strikes (user_id, role, reason) values ($1, 'buyer', 'miss_payment') returning id`, [seller.id]))
    .rows[0].id as string

const givenUpJob = async () =>
  (await yard.owner.query(`insert into jobs (kind, payload, failed_at) values ('forget_uploads', '{}', app_now()) returning id`)).rows[0]
    .id as string

async function applicant(): Promise<{ id: string; documentId: string; storageId: string }> {
  const { client, id } = await signUp(yard)
  const storageId = await file(client)
  return { id, storageId, documentId: (await put(client, licence(storageId))).body.data[0].id }
}

async function onAccount(act: string, changes: Record<string, unknown> = {}): Promise<{ path: string; about: string }> {
  const { id } = await newMember(yard, changes)
  return { path: `/api/v1/admin/users/${id}/${act}`, about: id }
}

type Sample = () => Promise<{ path: string; body?: object; about?: string | null; headers?: Record<string, string> }>

const coupon = { code: 'AUDITED', percent_off: 10, duration: 'once' }

/** One call of each endpoint that is answered. A new endpoint needs its own. */
const samples: Record<string, Sample> = {
  'GET /api/v1/admin/audit': async () => ({ path: '/api/v1/admin/audit' }),
  'GET /api/v1/admin/audit.csv': async () => ({ path: '/api/v1/admin/audit.csv' }),
  'GET /api/v1/admin/coupons': async () => ({ path: '/api/v1/admin/coupons?x=%00' }),
  'POST /api/v1/admin/coupons': async () => ({ path: '/api/v1/admin/coupons', body: coupon }),
  'DELETE /api/v1/admin/coupons/:code': async () => ({ path: '/api/v1/admin/coupons/AUDITED' }),
  'GET /api/v1/admin/documents': async () => ({ path: '/api/v1/admin/documents?filter[status]=pending' }),
  'GET /api/v1/admin/documents/:id': async () => {
    const { documentId, id } = await applicant()
    return { path: `/api/v1/admin/documents/${documentId}`, about: id }
  },
  'POST /api/v1/admin/documents/:id/approve': async () => {
    const { documentId, id } = await applicant()
    return { path: `/api/v1/admin/documents/${documentId}/approve`, about: id }
  },
  'POST /api/v1/admin/documents/:id/reject': async () => {
    const { documentId, id } = await applicant()
    return { path: `/api/v1/admin/documents/${documentId}/reject`, body: { reason: 'Blurred' }, about: id }
  },
  'GET /api/v1/admin/desk': async () => ({ path: '/api/v1/admin/desk' }),
  'GET /api/v1/admin/jobs': async () => ({ path: '/api/v1/admin/jobs' }),
  'POST /api/v1/admin/jobs/:id/retry': async () => ({ path: `/api/v1/admin/jobs/${await givenUpJob()}/retry` }),
  'GET /api/v1/admin/users': async () => ({ path: '/api/v1/admin/users?filter[search]=jo' }),
  'GET /api/v1/admin/users/:id': async () => ({ path: `/api/v1/admin/users/${seller.id}`, about: seller.id }),
  'POST /api/v1/admin/users/:id/open': async () => onAccount('open', { opened_at: null }),
  'POST /api/v1/admin/users/:id/suspend': async () => ({ ...(await onAccount('suspend')), body: { reason: 'Unpaid' } }),
  'POST /api/v1/admin/users/:id/unsuspend': async () => onAccount('unsuspend', { suspended_at: new Date() }),
  'POST /api/v1/admin/users/:id/temporary-password': async () => onAccount('temporary-password'),
  'PUT /api/v1/admin/users/:id/deferred-terms': async () => ({
    path: `/api/v1/admin/users/${seller.id}/deferred-terms`,
    body: { days: 7, limit: 100_00 },
    about: seller.id,
  }),
  'GET /api/v1/admin/users/:id/strikes': async () => ({ path: `/api/v1/admin/users/${seller.id}/strikes`, about: seller.id }),
  'DELETE /api/v1/admin/strikes/:id': async () => ({ path: `/api/v1/admin/strikes/${await strike()}`, about: seller.id }),
}

const backOffice = () =>
  yard.app.routeTable.flatMap(({ method, url, config }) => {
    const { access, audit } = config as unknown as { access: Access; audit: string }
    return rolesAllowed[access] && method !== 'HEAD' ? [{ method: String(method), url, access, audit }] : []
  })

test('every call of the back office leaves one entry: who, what and about whom', async () => {
  for (const { method, url, access, audit } of backOffice()) {
    const sample = samples[`${method} ${url}`]
    assert.ok(sample, `${method} ${url} has no sample here`)
    for (const [name, client] of access === 'staff'
      ? [['admin', admin] as const, ['support', support] as const]
      : [['admin', admin] as const]) {
      const { path, body, about = null, headers } = await sample()
      let answer: Answer | undefined
      const entries = await entriesOf(
        yard,
        async () => (answer = await client.ask(method, path, { ...(body && { body }), ...(headers && { headers }) })),
      )
      assert.ok((answer?.status ?? 500) < 300, `${method} ${path}: ${JSON.stringify(answer?.body)}`)
      assert.deepEqual(
        entries.map((entry) => [entry.actor, entry.actor_role, entry.kind, entry.act, entry.subject_user_id]),
        [[`${name}@yardbid.test`, name, method === 'GET' ? 'look' : 'act', audit, about]],
        `${method} ${path}`,
      )
    }
  }
  assert.deepEqual(
    yard.logs.filter((line) => line.includes('audit_late')),
    [],
  )
})

test('the log has a line with the hash of each entry', async () => {
  const [entry] = await entriesOf(yard, () => admin.get('/api/v1/admin/coupons'))
  const { rows } = await yard.owner.query(`select encode(hash, 'hex') as hash from audit_entries where id = $1`, [entry?.id])
  const line = yard.logs.map((text) => JSON.parse(text)).find((said) => said.event === 'audit' && said.entry === entry?.id)
  assert.deepEqual([line?.hash, line?.act, line?.route], [rows[0].hash, 'see-coupons', '/api/v1/admin/coupons'])
})

test('a call that is refused leaves none', async () => {
  const { documentId } = await applicant()
  await admin.post(`/api/v1/admin/documents/${documentId}/approve`)
  const entries = await entriesOf(yard, async () => {
    assert.equal((await admin.post(`/api/v1/admin/documents/${documentId}/approve`)).status, 409)
    assert.equal((await admin.get(`/api/v1/admin/documents/${seller.id}`)).status, 404)
    assert.equal((await support.post('/api/v1/admin/coupons', coupon)).status, 403)
    assert.equal((await seller.client.get('/api/v1/admin/coupons')).status, 404)
  })
  assert.deepEqual(entries, [])
})

test('an act whose entry cannot be written is not done', async () => {
  await yard.owner.query(`
    create function fail_audit() returns trigger language plpgsql as 'begin raise exception ''no room''; end';
    create trigger failing before insert on audit_entries for each row when (new.act = 'add-coupon') execute function fail_audit()`)
  const { status } = await admin.post('/api/v1/admin/coupons', { ...coupon, code: 'UNWRITTEN' })
  await yard.owner.query('drop function fail_audit cascade')
  assert.equal(status, 500)
  assert.equal((await yard.owner.query(`select from coupons where code = 'UNWRITTEN'`)).rowCount, 0)
})

test('a look whose entry cannot be written is not answered', async () => {
  await yard.owner.query(`
    create function fail_audit() returns trigger language plpgsql as 'begin raise exception ''no room''; end';
    create trigger failing before insert on audit_entries for each row when (new.act = 'see-coupons') execute function fail_audit()`)
  const { status, body } = await admin.get('/api/v1/admin/coupons')
  await yard.owner.query('drop function fail_audit cascade')
  assert.deepEqual([status, body.code, body.data], [500, 'fault', undefined])
})

test('an admin’s step of a listing is an entry with its reason; support may not take it and sees none to take', async () => {
  const id = await newListing(yard.owner, seller.id)
  assert.deepEqual((await support.get(`/api/v1/listings/${id}`)).body.data.available_actions, [])
  const refused = await act(support, id, 'raise_issue', { reason: 'Stolen?' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'role_missing'])
  const [entry, ...more] = await entriesOf(yard, () => act(admin, id, 'raise_issue', { reason: 'Stolen?' }))
  assert.deepEqual(
    [entry?.act, entry?.actor, entry?.subject_user_id, entry?.reason, entry?.details, more],
    ['listing-raise-issue', 'admin@yardbid.test', seller.id, 'Stolen?', { listing_id: id }, []],
  )
})

test('a look at another’s sale or document is an entry; a look at one’s own is none', async () => {
  const { rows } = await yard.owner.query(
    `select listing_id, seller_id from awards a join listings l on l.id = a.listing_id
     where a.status = 'pending_payment' order by a.id limit 1`,
  )
  const [sale] = await entriesOf(yard, () => support.get(`/api/v1/listings/${rows[0].listing_id}`))
  assert.deepEqual(
    [sale?.act, sale?.subject_user_id, sale?.details],
    ['see-sales', rows[0].seller_id, { listing_ids: [rows[0].listing_id] }],
  )

  const { id, documentId, storageId } = await applicant()
  const { url } = (await admin.get(`/api/v1/admin/documents/${documentId}`)).body.data.file.media
  const [seen] = await entriesOf(yard, () => admin.get(new URL(url, yard.url).pathname))
  assert.deepEqual([seen?.act, seen?.subject_user_id, seen?.details['storage_object_id']], ['see-file', id, storageId])

  const own = await file(admin)
  const none = await entriesOf(yard, () => admin.get(`/files/${own}/document.pdf`))
  assert.deepEqual(none, [])
})

for (const [what, config, message] of [
  ['does not say how it is audited', { access: 'staff' }, /do not say how they are audited: \/api\/v1\/admin\/forgotten/],
  [
    'moves money and asks for no reason',
    { access: 'admin', audit: 'pay', movesMoney: true },
    /move money without a reason: \/api\/v1\/admin\/forgotten/,
  ],
] as const) {
  test(`a route of the back office that ${what} fails the start`, async () => {
    await assert.rejects(
      buildApp({
        deps: { cookies: {}, config: {}, files: {}, payment: {} } as never,
        trustProxy: [],
        connections: { most: 10, mostPerAddress: 10, readWithinMs: 1_000 },
        logger: false,
        webDir: null,
        more: (app) => void app.get('/api/v1/admin/forgotten', { config }, async () => 'unseen'),
      }),
      message,
    )
  })
}
