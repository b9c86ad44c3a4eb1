import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashToken, newToken } from '#server/http/session.ts'
import { newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import { newClient, type Client } from '#tests/support/client.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'
import { launchProduct } from '#tests/support/processes/product.ts'
import { atMost, quantile, type Benchmark } from '#benchmarks/figures.ts'

// How soon a message is read on the other side, while thousands have a conversation open: sent, heard of live, and fetched.

const sizes = { full: { threads: 2_000, messages: 400 }, quick: { threads: 100, messages: 40 } }
const SELLERS = 20
const EVERY_MS = 50
const PORT = 3169
const ADDRESS = `http://127.0.0.1:${PORT}`

type Thread = { listing: string; seller: { id: string; client: Client }; buyer: { id: string; client: Client }; heard: () => void }

export const run: Benchmark = async ({ isQuick, say }) => {
  const { threads: count, messages } = isQuick ? sizes.quick : sizes.full
  say(`${count} open threads, ${messages} messages`)
  const database = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-chat-'))
  const owner = await connectTo(database.url)
  const server = await launchProduct({ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' })
  try {
    await server.says('Yardbid is running')
    await owner.query(
      `insert into settings (key, value) values ('chat_rate', '1000000') on conflict (key) do update set value = excluded.value`,
    )
    const threads = await openThreads(owner, count)
    const [heardAfter, readAfter]: [number[], number[]] = [[], []]
    for (let nth = -20; nth < messages; nth++) {
      const thread = threads[Math.floor(Math.random() * threads.length)]
      if (!thread) throw new Error('there are threads')
      const times = await send(thread, `Message ${nth}`)
      // the first ones warm it up
      if (nth >= 0) heardAfter.push(times.heard)
      if (nth >= 0) readAfter.push(times.read)
      await pause(EVERY_MS * Math.random())
    }
    return [
      { what: 'the other side hears of a message after, p50', measured: `${quantile(heardAfter, 0.5).toFixed(0)} ms` },
      { what: 'the other side has read it after, p50', measured: `${quantile(readAfter, 0.5).toFixed(0)} ms` },
      atMost('the other side has read it after, p99', quantile(readAfter, 0.99), 150, 'ms'),
    ]
  } finally {
    server.signal('SIGKILL')
    await server.ended
    await owner.end()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Every thread has its own buyer, whose browser is connected to the live stream. */
async function openThreads(owner: pg.Client, count: number): Promise<Thread[]> {
  const sellers: { id: string; client: Client; listing: string }[] = []
  for (let nth = 0; nth < SELLERS; nth++) {
    const seller = await newPerson(owner)
    sellers.push({ ...seller, listing: await newListing(owner, seller.id) })
  }
  const threads: Thread[] = []
  for (let nth = 0; nth < count; nth++) {
    const seller = sellers[nth % SELLERS]
    if (!seller) throw new Error('there are sellers')
    const thread: Thread = { listing: seller.listing, seller, buyer: await newPerson(owner), heard: () => {} }
    await owner.query(
      `with t as (
         insert into chat_threads (listing_id, owner_id, other_id, message_count, owner_unread) values ($1, $2, $3, 1, 1) returning id
       )
       insert into chat_messages (thread_id, seq, sender_id, body, client_key) select id, 1, $3, 'Is it dry?', 'first' from t`,
      [thread.listing, seller.id, thread.buyer.id],
    )
    await follow(thread)
    threads.push(thread)
  }
  return threads
}

async function newPerson(owner: pg.Client): Promise<{ id: string; client: Client }> {
  const id = await newMerchant(owner)
  const token = newToken()
  await owner.query('insert into sessions (token_hash, user_id) values ($1, $2)', [hashToken(token), id])
  return { id, client: newClient(ADDRESS, { sid: token }) }
}

function follow(thread: Thread): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(PORT, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    const cookie = `sid=${thread.buyer.client.cookies.get('sid')}`
    socket.write(`GET /api/v1/events?topics=me HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`)
    socket.on('data', (chunk: string) => {
      // the first frame with an id says that the connection follows
      if (/^id: \d+$/m.test(chunk)) resolve()
      if (chunk.includes('event: chat')) thread.heard()
    })
    socket.on('error', reject)
  })
}

/** From the press of Send until the other side was told, and until its page has the words. */
async function send(thread: Thread, body: string): Promise<{ heard: number; read: number }> {
  const { listing, seller, buyer } = thread
  const began = performance.now()
  const heard = new Promise<void>((resolve) => (thread.heard = resolve))
  const sending = seller.client.post(
    `/api/v1/listings/${listing}/chats/${buyer.id}/messages`,
    { body },
    { 'idempotency-key': randomUUID() },
  )
  await heard
  const heardAt = performance.now()
  const page = await buyer.client.get(`/api/v1/listings/${listing}/chats/${seller.id}/messages`)
  const readAt = performance.now()
  if (page.body.data.at(-1)?.body !== body || (await sending).status !== 201) throw new Error('the message did not arrive')
  return { heard: heardAt - began, read: readAt - began }
}
