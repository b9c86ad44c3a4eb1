import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { demoPassword } from '#database/demo/users.ts'
import fc from '#tests/support/properties.ts'
import type { Client } from '#tests/support/client.ts'
import { demoUser, signUp, signUpForm } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// Whatever comes in: never a 5xx, never a hang, never a stack. BODIES=2000 npm test -- api for the long run.

const BODIES = Number(process.env['BODIES'] ?? 200)

let yard: Yard
before(async () => {
  yard = await openYard({ demo: true })
  // limits are for people: the generator would soon see nothing but 429
  await yard.owner.query(`
    create function forget_attempt() returns trigger language plpgsql as 'begin delete from attempts where id = new.id; return null; end';
    create trigger forgotten after insert on attempts for each row execute function forget_attempt()`)
})
after(() => yard.close())

const good = signUpForm()
const password = { current_password: 'Wrong-pass-1', password: 'Zinc-and-Lead-9', password_confirmation: 'Zinc-and-Lead-9' }

const listing = {
  title: 'Copper',
  description: 'Clean',
  material_id: 'copper_bright',
  price_basis: 'tonne',
  weight_kg: 1_000,
  start_price: 100_00,
  duration_days: 3,
  transfer_method_id: 1,
  address: { address_line_1: '1 Yard', town: 'Leeds', post_code: 'LS1 4AP', latitude: 53.79, longitude: -1.54 },
  media: ['8f14e45f-ceea-467f-a8b5-000000000000'],
}

/** A body that is right but for what the generator does to it, so that it gets past the first check. */
const enquiry = {
  title: 'Boiler and pipes',
  description: 'From a house clearance',
  material_id: 'copper_bright',
  weight_kg: 80,
  available_from: '2030-01-31',
  media: [randomUUID()],
  use_default_address: true,
}
const offer = { price: 120_00, collect_at: '2030-01-31', message: 'I have a van near' }

const examples: Record<string, object> = {
  'POST /auth/login': { email: 'a@example.test', password: 'x', device_name: 'web_app_device', otp: '123456' },
  'POST /api/v1/auth/second-factor/confirm': { otp: '123456' },
  'POST /api/v1/auth/second-factor/disable': { password: 'x', otp: '123456' },
  'POST /api/v1/auth/reauthenticate': { password: 'x', otp: '123456' },
  'POST /api/v1/auth/register/web': good,
  'PUT /api/v1/auth/me': {
    first_name: 'A',
    surname: 'B',
    profile: { company_name: 'C', contact_number: '0161 496 0000' },
    vat_number: 'GB123456789',
    not_vat_registered: false,
  },
  'PUT /api/v1/auth/me/company-address': good.address,
  'PUT /api/v1/auth/me/password': password,
  'POST /api/v1/auth/password/update': { token: 'x', password: password.password, password_confirmation: password.password },
  'POST /api/v1/auth/password/reset': { email: 'a@example.test' },
  'POST /api/v1/auth/undo-email-change': { token: 'x' },
  'POST /api/v1/auth/me/delete': { reason: 'x' },
  'POST /api/v1/listings': listing,
  'PUT /api/v1/listings/:id': listing,
  // the owner's, after the first bid
  'POST /api/v1/listings/:id/actions/:action': { text: 'Loading by fork-lift' },
  'POST /api/v1/listings/:id/pay': { method: 'card' },
  'POST /api/v1/listings/:id/bids': { amount: 100_00, max_amount: 200_00 },
  'POST /api/v1/listings/:id/chats/:user_id/messages': { body: 'Is it dry?', storage_object_ids: [randomUUID()] },
  'POST /api/v1/reports': { about: { type: 'chat', id: randomUUID() }, reason: 'Wants cash' },
  'POST /api/v1/market/enquiries': enquiry,
  'PUT /api/v1/market/enquiries/:id': enquiry,
  'POST /api/v1/market/enquiries/:id/offers': offer,
  'POST /api/v1/market/enquiries/:id/conversations': { body: 'When can I see it?', storage_object_ids: [randomUUID()] },
  'POST /api/v1/market/offers/:id/counter': offer,
  'POST /api/v1/market/conversations/:id/messages': { body: 'Tomorrow?', storage_object_ids: [randomUUID()] },
  'POST /api/v1/auth/marketplace/preferences': {
    material_ids: ['copper_bright', 'lead'],
    min_weight_kg: 100,
    radius_miles: 50,
    post_code: 'M1 1AA',
    alerts: true,
  },
  'POST /api/v1/saved-searches': {
    name: 'Copper',
    filter: { 'filter[search]': 'copper', 'filter[post_code]': 'M1', 'filter[radius_miles]': 10, 'filter[max_price]': 100_00 },
    alerts: false,
  },
  'POST /api/v1/notifications/mark-all-as-read': { until: '5' },
  'PUT /api/v1/auth/notification-settings': {
    kinds: { outbid: { in_app: true, email: false, push: true }, payment: { push: false } },
    quiet_hours: { from: '22:00', to: '06:00' },
    digest: true,
  },
  'POST /api/v1/push-subscriptions': {
    endpoint: 'https://fcm.googleapis.com/fcm/send/x',
    expirationTime: null,
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  },
  'DELETE /api/v1/push-subscriptions': { endpoint: 'https://fcm.googleapis.com/fcm/send/x' },
  'POST /api/v1/auth/onboard-user': { stage: 2 },
  'POST /api/v1/onboarding/profile': {
    activities: ['scrap_metal_dealer', 'demolition'],
    company_number: '01234567',
    sites: [{ name: 'North yard', address: listing.address }],
    licence_number: 'SMD/1',
    licence_council: 'Leeds',
    licence_expires_at: '2030-01-31',
    waste_carrier_number: 'CBDU123456',
  },
  'PUT /api/v1/auth/merchant-documents': {
    documents: [
      { storage_object_id: randomUUID(), kind: 'scrap_dealer_licence', number: 'SMD/1', council: 'Leeds', expires_at: '2030-01-31' },
    ],
  },
  'POST /api/v1/admin/documents/:id/approve': { expires_at: '2030-01-31' },
  'POST /api/v1/admin/documents/:id/reject': { reason: 'It cannot be read' },
  'POST /api/v1/stripe/attach-payment-method': { payment_method: 'pm_card', address: listing.address },
  'POST /api/v1/stripe/subscription': { plan_id: 'full', coupon_code: 'YARD20' },
  'PATCH /api/v1/stripe/subscription': { plan_id: 'basic' },
  'POST /api/v1/stripe/subscription/coupons/validate': { code: 'YARD20' },
  'POST /api/v1/admin/users/:id/suspend': { reason: 'Unpaid invoices' },
  'PUT /api/v1/admin/users/:id/deferred-terms': { days: 14, limit: 5_000_00 },
  'POST /api/v1/admin/coupons': { code: 'HALF', percent_off: 50, duration: 'repeating', duration_in_months: 2 },
  'POST /api/v1/storage-object/:id/complete': { poster_storage_object_id: randomUUID() },
  'POST /api/v1/storage-object': { filename: 'a.pdf', mime_type: 'application/pdf', file_size: 1_000, type: 2, storage_object_kind: 1 },
}

const nasty = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '😀'.repeat(50),
    '../../etc/passwd',
    "' or 1=1 --",
    '<img src=x onerror=alert(1)>',
    '{{7*7}}',
    '\u202e',
    'a'.repeat(5_000),
    '1e309',
    '２０２６',
  ),
  fc.constantFrom(-1, 0, 1.5, 1e21, 9007199254740993, -0, 2 ** 63, true, false, null),
  fc.constantFrom('1985-02-30', '0000-00-00', '-271821-04-20', '99999-01-01', '1900-01-01', '2026-11-15T00:00:00Z'),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

/** Somebody whom the endpoint lets in, so that the body is what is judged. */
async function callerOf(endpoint: string) {
  const [method = '', path = ''] = endpoint.split(' ')
  if (path.includes('/admin/')) return { method, path: path.replace(':id', randomUUID()), client: await demoUser(yard, 'admin') }
  if (path.includes('/market/')) return marketCaller(method, path)
  if (!path.includes('/listings')) return { method, path: path.replace(':id', randomUUID()), client: (await signUp(yard)).client }
  const isOwners = method === 'PUT' || path.includes(':action')
  const { rows } = await yard.owner.query<{ id: string; seller_id: string }>(
    `select l.id, l.seller_id from listings l join users u on u.id = l.seller_id
     where l.status = 'Active' and (not $1 or (u.email = 'seller@yardbid.test' and (l.bid_count > 0) = $2)) order by expires_at desc limit 1`,
    [isOwners, path.includes(':action')],
  )
  const named = path
    .replace(':id', rows[0]?.id ?? '')
    .replace(':action', 'add_note')
    .replace(':user_id', rows[0]?.seller_id ?? '')
  return { method, path: named, client: await demoUser(yard, isOwners ? 'seller' : 'rival') }
}

/** The poster of an enquiry that nobody has offered for, or the merchant of a conversation about an open one. */
async function marketCaller(method: string, path: string) {
  const isPosters = method === 'PUT' || path.endsWith('/enquiries')
  const { rows } = await yard.owner.query<{ id: string; email: string }>(
    isPosters
      ? `select e.id, u.email from enquiries e join users u on u.id = e.poster_id
         where e.status = 'open' and not exists (select from enquiry_offers o where o.enquiry_id = e.id) order by e.id limit 1`
      : `select case when $1 then e.id else c.id end as id, u.email
         from enquiry_conversations c join enquiries e on e.id = c.enquiry_id join users u on u.id = c.merchant_id
         where e.status = 'open' order by c.id limit 1`,
    isPosters ? [] : [path.includes('/enquiries/')],
  )
  const client = yard.client()
  await client.logIn(rows[0]?.email ?? '', demoPassword)
  return {
    method,
    path: path.replace(':id', path.includes('/offers/') && !path.includes('/enquiries/') ? randomUUID() : (rows[0]?.id ?? '')),
    client,
  }
}

type Json = Record<string, unknown>

/** Replaces, drops or adds one thing somewhere in the example. */
const damaged = (example: object) =>
  fc
    .tuple(fc.constantFrom(...pathsOf(example)), fc.constantFrom('replace', 'drop', 'add'), nasty, fc.string({ maxLength: 20 }))
    .map(([path, how, value, key]) =>
      changedAt(example, path, (parent, last) => {
        if (how === 'replace') parent[last] = value
        if (how === 'drop') delete parent[last]
        if (how === 'add') add(parent, key, value)
      }),
    )

/** One more item of a list, or one more field under any name: 'length' and '__proto__' are names like others. */
function add(parent: Json | unknown[], key: string, value: unknown): void {
  if (Array.isArray(parent)) parent.push(value)
  else Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
}

function changedAt(example: object, path: string[], change: (parent: Json, key: string) => void): Json {
  const body = structuredClone(example) as Json
  const parent = path.slice(0, -1).reduce<Json>((place, part) => place[part] as Json, body)
  change(parent, path.at(-1) ?? '')
  return body
}

const pathsOf = (value: object, before: string[] = []): string[][] =>
  Object.entries(value).flatMap(([key, inner]) => [
    [...before, key],
    ...(inner && typeof inner === 'object' ? pathsOf(inner, [...before, key]) : []),
  ])

test('no text field of any body lets through what the database cannot hold', async () => {
  for (const [endpoint, example] of Object.entries(examples)) {
    const { method, path, client } = await callerOf(endpoint)
    for (const value of ['\u0000', 'a\u0000b', '\ud800', 'a\udc00']) {
      for (const where of pathsOf(example)) {
        await answersClearly(
          client,
          method,
          path,
          changedAt(example, where, (parent, key) => (parent[key] = value)),
        )
      }
    }
  }
})

for (const [endpoint, example] of Object.entries(examples)) {
  test(`${endpoint}: ${BODIES} generated bodies, each a clear answer`, async () => {
    const { method, path, client: first } = await callerOf(endpoint)
    let client = first
    const bodies = fc.oneof({ weight: 4, arbitrary: damaged(example) }, { weight: 1, arbitrary: nasty })
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        await answersClearly(client, method, path, body)
        // a deletion that went through ends the session: the next body needs another account
        if (endpoint.endsWith('/delete') && (await client.get('/api/v1/auth/me')).status === 401) client = (await signUp(yard)).client
      }),
      { numRuns: BODIES },
    )
  })
}

for (const path of [
  '/api/v1/location/post-code?postalCode=',
  '/api/v1/location/street-details?location=',
  '/api/v1/auth/verify-email?token=',
  '/api/v1/auth/',
]) {
  test(`GET ${path}…: ${BODIES} generated texts, each a clear answer`, async () => {
    const client = yard.client()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('%', '%00', '%ff', '..%2f', '[]=1', 'a&postalCode=b', '?')),
        async (text) => {
          const isRaw = /^[%?.[a]/.test(text) && text.length < 20
          await answersClearly(
            client,
            'GET',
            `${path}${isRaw ? text.replace(/[^\x21-\x7e]/g, '') : encodeURIComponent(text.toWellFormed())}`,
            undefined,
          )
        },
      ),
      { numRuns: BODIES },
    )
  })
}

test('every changing endpoint that takes a body is covered here', () => {
  const covered = new Set(Object.keys(examples))
  const missing = yard.app.routeTable.filter(({ method, url, schema }) => schema?.body && !covered.has(`${String(method)} ${url}`))
  assert.deepEqual(
    missing.map(({ url }) => url),
    [],
  )
})

async function answersClearly(client: Client, method: string, path: string, body: unknown) {
  const { status, body: answer } = await client.ask(method, path, { ...(body !== undefined && { body }) })
  assert.ok(status < 500, `${status} ${JSON.stringify(answer)}`)
  if (status < 400) return
  assert.equal(typeof answer.message, 'string')
  assert.equal(typeof answer.code, 'string')
  assert.equal(answer.errors !== undefined, status === 422, `errors with ${status}`)
  assert.doesNotMatch(JSON.stringify(answer), /node_modules|at \w+ \(|\.ts:\d|syntax error|invalid input syntax/)
}
