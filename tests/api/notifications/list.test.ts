import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openDatabase, type Db } from '#server/db/db.ts'
import { markSourceRead, notify, type News } from '#server/features/notifications/public.ts'
import type { Client } from '#tests/support/client.ts'
import { signUp } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
before(async () => {
  yard = await openYard()
  db = openDatabase(yard.databaseUrl, 8)
})
after(async () => {
  await db.destroy()
  await closeSound(yard)
})

const message = (to: string | string[], source: string): News => ({
  kind: 'chat_message',
  to,
  source,
  facts: { from: 'Smith Metals', title: 'Copper', preview: source },
  link: '/listings',
})
const tell = (to: string | string[], source: string = randomUUID()) => notify(db, message(to, source))

type Shown = { id: string; body: string; has_been_read: boolean; created_at: string }
const list = async (client: Client, query = '') => (await client.get(`/api/v1/notifications?include=thumbnail${query}`)).body
const bodies = ({ data }: { data: Shown[] }) => data.map(({ body }) => body)

test('a notification is in the list with words, link and read mark as soon as its event is committed', async () => {
  const { client, id } = await signUp(yard)
  await tell(id, 'chat:1:1')
  const { data, meta } = await list(client)
  assert.equal(data.length, 1)
  const { id: _id, created_at, ...shown } = data[0]
  assert.deepEqual(shown, {
    kind: 'chat_message',
    title: 'Smith Metals wrote about Copper',
    body: 'chat:1:1',
    link: '/listings',
    action: 'Read and answer',
    has_been_read: false,
    thumbnail: null,
    listing_id: null,
    listing_thumbnail: null,
  })
  assert.ok(Date.parse(created_at))
  assert.deepEqual([meta.current_page, meta.last_page, meta.total, meta.unread], [1, 1, 1, 1])
})

test('an event that is rolled back tells nobody, and one that is told twice at once is told once', async () => {
  const { client, id } = await signUp(yard)
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await notify(tx, message(id, 'undone'))
      throw new Error('changed my mind')
    }),
  )
  await Promise.all(Array.from({ length: 20 }, () => tell([id, id], 'once')))
  await yard.jobsDone()
  assert.deepEqual(bodies(await list(client)), ['once'])
})

test('pages show each notification exactly once, whether or not the cut-off is sent, while new ones arrive between the pages', async () => {
  const { client, id } = await signUp(yard)
  for (let nth = 1; nth <= 50; nth++) await tell(id, `old ${nth}`)
  for (const sendsCutOff of [true, false]) {
    const seen: string[] = []
    let lastPage = 1
    let until = ''
    for (let page = 1; page <= lastPage; page++) {
      const answer = await list(client, `&page=${page}&per_page=7${page > 1 && sendsCutOff ? `&filter[until]=${until}` : ''}`)
      seen.push(...bodies(answer))
      if (page > 1) assert.equal(answer.meta.last_page, lastPage)
      lastPage = answer.meta.last_page
      until = answer.meta.until
      for (let nth = 0; nth < 5; nth++) await tell(id, `late ${randomUUID()}`)
    }
    assert.equal(new Set(seen).size, seen.length)
    const old = seen.filter((body) => body.startsWith('old'))
    assert.deepEqual(
      old,
      Array.from({ length: 50 }, (_, nth) => `old ${50 - nth}`),
    )
  }
})

test('polls since any moment together show everything, whichever of the times the client goes by, while ten writers commit', async () => {
  const { client, id } = await signUp(yard)
  const cuts: Record<string, (answer: { meta: { since: string; server_time: string } }) => string> = {
    since: ({ meta }) => meta.since,
    server_time: ({ meta }) => meta.server_time,
  }
  const first = await list(client)
  const readers = Object.entries(cuts).map(([name, cut]) => ({ name, cut, since: cut(first), seen: [] as string[] }))
  const all: string[] = []
  let isOver = false
  const poll = async (reader: (typeof readers)[number]) => {
    const answer = await list(client, `&filter[since]=${encodeURIComponent(reader.since)}&per_page=100`)
    assert.equal(answer.meta.last_page, 1)
    reader.seen.push(...bodies(answer))
    reader.since = reader.cut(answer)
  }
  const polling = readers.map(async (reader) => {
    while (!isOver) await poll(reader)
  })
  await Promise.all(
    Array.from({ length: 10 }, async (_, writer) => {
      for (let nth = 0; nth < 15; nth++) {
        const source = `${writer}:${nth}`
        all.push(source)
        // other work before the commit: the rows become visible in another order than they were written in
        await db.transaction().execute(async (tx) => {
          await notify(tx, message(id, source))
          await tx.selectFrom('users').select('id').where('id', '=', id).execute()
        })
      }
    }),
  )
  isOver = true
  await Promise.all(polling)
  for (const reader of readers) {
    await poll(reader)
    assert.deepEqual([...new Set(reader.seen)].sort(), all.toSorted(), reader.name)
  }
  const [bySince] = readers
  assert.equal(bySince?.seen.length, all.length, 'by meta.since nothing comes twice')
})

test('reading one, a source or all marks what was there, leaves the rest unread, and says how many are', async () => {
  const { client, id } = await signUp(yard)
  const other = await signUp(yard)
  for (const source of ['chat:a:1', 'chat:a:2', 'chat:b:1', 'enquiry:1']) await tell([id, other.id], source)
  const { data, meta } = await list(client)
  const one = await client.put(`/api/v1/notifications/${data[0].id}/mark-as-read`)
  assert.deepEqual([one.status, one.body.data.has_been_read, one.body.meta.unread], [200, true, 3])
  assert.equal((await client.put(`/api/v1/notifications/${data[0].id}/mark-as-read`)).status, 200, 'a second time changes nothing')
  await markSourceRead(db, id, 'chat:a:')
  assert.equal((await client.get('/api/v1/notifications/unread')).body.data.unread, 1)
  await tell(id, 'after the cut-off')
  const all = await client.post('/api/v1/notifications/mark-all-as-read', { until: meta.until })
  assert.deepEqual([all.status, all.body.data.unread], [200, 1])
  assert.deepEqual(
    (await list(client)).data.filter(({ has_been_read }: Shown) => !has_been_read).map(({ body }: Shown) => body),
    ['after the cut-off'],
  )
  assert.equal((await client.post('/api/v1/notifications/mark-all-as-read')).body.data.unread, 0)
  assert.equal((await list(other.client)).meta.unread, 4, 'nobody else’s are read')
  for (const foreign of [data[1].id, randomUUID(), '0', '%00']) {
    assert.equal((await other.client.put(`/api/v1/notifications/${foreign}/mark-as-read`)).status, 404, foreign)
  }
})

test('marking all as read while others arrive: what the answer did not count stays unread', async () => {
  const { client, id } = await signUp(yard)
  await Promise.all([
    ...Array.from({ length: 30 }, () => tell(id)),
    ...Array.from({ length: 5 }, () => client.post('/api/v1/notifications/mark-all-as-read')),
  ])
  const { data, meta } = await list(client, '&per_page=100')
  assert.equal(data.length, 30)
  assert.equal(data.filter(({ has_been_read }: Shown) => !has_been_read).length, meta.unread)
})

test('an open page hears live that a notification arrived and that it was read', async () => {
  const { client, id } = await signUp(yard)
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await openStream(`${yard.url}/api/v1/events?topics=me`, { cookie })
  const heard = () => stream.events.filter(({ event }) => event === 'notifications').map(({ data }) => data)
  await tell(id, 'live')
  await stream.until(() => heard().length === 1)
  assert.equal(heard()[0].unread, 1)
  assert.deepEqual(bodies(await list(client, `&filter[since]=${encodeURIComponent(heard()[0].since)}`)), ['live'])
  await client.post('/api/v1/notifications/mark-all-as-read')
  await stream.until(() => heard().length === 2)
  assert.deepEqual([heard()[1].unread, heard()[1].since], [0, null])
  stream.close()
})
