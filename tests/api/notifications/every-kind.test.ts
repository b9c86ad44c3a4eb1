import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notificationKinds } from '#contract/values/notification-kinds.ts'
import { kinds } from '#domain/notifications/kinds.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { notify, type News } from '#server/features/notifications/public.ts'
import { newMember } from '#tests/support/auctions/sale.ts'
import { demoUser, type DemoName } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
before(async () => {
  yard = await openYard({ demo: true })
  db = openDatabase(yard.databaseUrl, 2)
})
after(async () => {
  await db.destroy()
  await closeSound(yard)
})

type Told = { kind: string; title: string; body: string }

for (const name of ['seller', 'buyer', 'rival', 'basic', 'trade', 'admin'] satisfies DemoName[])
  test(`${name} finds up to five unread notifications of the demo, all with words, and a page behind each`, async () => {
    const client = await demoUser(yard, name)
    const { data } = (await client.get('/api/v1/notifications?include=thumbnail&per_page=100')).body
    const { rows } = await yard.owner.query<{ unread: number }>(
      `select count(*)::int as unread from notifications n join users u on u.id = n.user_id
       where u.email = $1 and n.read_at is null and n.source like 'demo:%'`,
      [`${name}@yardbid.test`],
    )
    assert.ok(rows[0] && rows[0].unread >= 1 && rows[0].unread <= 5)
    for (const { title, body, link } of data) assert.ok(title && body && /^\/[\w/-]+$/.test(link), title)
  })

test('every kind has an example in the demo, and reaches a reader once in the list, by email and by push', async () => {
  const { rows: examples } = await yard.owner.query<{ kind: News['kind']; facts: never; link: string }>(
    `select distinct on (kind) kind, facts, link from notifications where source like 'demo:%' order by kind, seq`,
  )
  assert.deepEqual(examples.map(({ kind }) => kind).toSorted(), notificationKinds.toSorted())
  for (const { kind, facts, link } of examples) {
    const reader = await newMember(yard)
    const browser = (await yard.client().ask('POST', '/sandbox/push', { csrf: false })).body
    assert.equal((await reader.client.post('/api/v1/push-subscriptions', browser)).status, 201)
    const fresh = 'ends_at' in (facts as object) ? { ...(facts as object), ends_at: new Date(Date.now() + 3_600_000).toISOString() } : facts
    const news = { kind, to: reader.id, source: 'once', facts: fresh, link } as News
    await notify(db, news)
    await notify(db, news)
    await yard.jobsDone()
    const { data } = (await reader.client.get('/api/v1/notifications')).body
    assert.deepEqual(
      data.map((each: Told) => [each.kind, each.title.length > 0, each.body.length > 0]),
      [[kind, true, true]],
    )
    const { email, push } = kinds[kind].channels
    assert.equal((await yard.outbox.list(reader.email)).length, email ? 1 : 0, `${kind} by email`)
    const pushed = (await yard.client().get(new URL(browser.endpoint).pathname)).body.data
    assert.equal(pushed.length, push ? 1 : 0, `${kind} by push`)
  }
})
