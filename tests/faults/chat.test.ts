import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { findViolations } from '#database/check.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import { newBidder, type Bidder } from '#tests/support/auctions/bidders.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { connectTo, freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'
import { launchProduct, type Product } from '#tests/support/processes/product.ts'
import { seededRandom } from '#tests/support/random.ts'
import { openStream } from '#tests/support/stream.ts'

// Invariant 45, with real processes. CHAT_SEED=… repeats a run's choices (not its timing).

const SEED = Number(process.env['CHAT_SEED'] ?? 20_261_116)
const EACH = 500
const AT_ONCE = 8
/** A server is killed when so many more were answered, and both run. */
const KILL_EVERY = 150
/** Of so many sends one is given up by its sender before the answer. */
const GIVEN_UP = 8

const random = seededRandom(SEED)
/** Those that answer. */
const servers: (Product | undefined)[] = [undefined, undefined]
/** Those and what is only starting. */
const launched: (Product | undefined)[] = [undefined, undefined]
/** Whether nobody listens to the live events any more. */
let isOver = false
let database: FreshDatabase
let owner: pg.Client
let dataDir: string
let keepers: Promise<void>[] = []
let isClosing = false

before(async () => {
  process.setMaxListeners(0) // every product launched leaves a listener
  database = await freshDatabase()
  owner = await connectTo(database.url)
  // the limit is for people
  await owner.query(`insert into settings (key, value) values ('chat_rate', '1000000')`)
  dataDir = await scratchFolder('chat-data')
  keepers = [keepRunning(0), keepRunning(1)]
  while (servers.includes(undefined)) await pause(20)
})
after(async () => {
  isClosing = true
  isOver = true
  for (const server of launched) server?.signal('SIGKILL')
  await Promise.all(keepers)
  await owner.end()
  await database.drop()
})

async function keepRunning(which: number): Promise<void> {
  while (!isClosing) {
    const server = await launchProduct({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SESSION_SECRET: 'a secret that both of the processes share',
      LOG_LEVEL: 'silent',
    })
    launched[which] = server
    if (isClosing) server.signal('SIGKILL')
    await server.says('Yardbid is running').then(
      () => (servers[which] = server),
      () => {},
    )
    await server.ended
    if (servers[which] === server) servers[which] = undefined
  }
}

function kill(which: number): void {
  servers[which]?.signal('SIGKILL')
  servers[which] = undefined
}

const anyProcess = async (): Promise<string> => {
  for (;;) {
    const running = servers.flatMap((server) => server?.url ?? [])
    if (running.length > 0) return random.oneOf(running)
    // whoever still asks is about to end
    if (isClosing) return ''
    await pause(10)
  }
}

type Side = Bidder & { other: string }
type Sent = { key: string; body: string; seq: number; sends: number }

test('45: 1,000 messages of both sides at once through killed servers and lost answers: none lost, none doubled, one order', async (t) => {
  const [seller, buyer] = [await newBidder(owner, await anyProcess()), await newBidder(owner, await anyProcess())]
  const listing = await newListing(owner, seller.id)
  const sides: [Side, Side] = [
    { ...buyer, other: seller.id },
    { ...seller, other: buyer.id },
  ]
  const sent: Sent[] = [await sendUntilAnswered(listing, sides[0], 'The first')]
  const heard = sides.map((side) => listenTo(side))

  let left = sides.map(() => EACH)
  let killed = 0
  const write = async (which: 0 | 1) => {
    while ((left[which] ?? 0) > 0) {
      left = left.with(which, (left[which] ?? 0) - 1)
      sent.push(await sendUntilAnswered(listing, sides[which], `${which ? 'Seller' : 'Buyer'} says ${left[which]}`))
      // the other goes on while it starts again: nobody waits for a start
      if (sent.length >= (killed + 1) * KILL_EVERY && !servers.includes(undefined)) kill(killed++ % 2)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => [write(0), write(1)]).flat())
  const count = 2 * EACH + 1
  const all = Array.from({ length: count }, (_, nth) => nth + 1)
  t.diagnostic(`${killed} servers killed, ${sent.filter(({ sends }) => sends > 1).length} messages sent more than once`)
  assert.ok(killed > 0 && sent.some(({ sends }) => sends > 1))

  // every answer is one row, and nothing else is there
  const { rows } = await owner.query<Sent>('select client_key as key, body, seq from chat_messages order by seq')
  const bySeq = sent.toSorted((one, other) => one.seq - other.seq).map(({ key, body, seq }) => ({ key, body, seq }))
  assert.deepEqual(rows, bySeq)
  // both sides read the same, from either process
  while (servers.includes(undefined)) await pause(20)
  const histories = await Promise.all(sides.flatMap((side) => servers.map((server) => history(server?.url ?? '', listing, side))))
  for (const read of histories) assert.deepEqual(read, bySeq.map(({ seq, body }) => `${seq} ${body}`)) // prettier-ignore
  // and heard of all of it as it came, in that order
  for (const listener of heard) while (listener.seqs.at(-1) !== count) await pause(20)
  for (const listener of heard) assert.deepEqual(listener.seqs, all)
  assert.deepEqual(await findViolations(owner), [])
})

/** Sent again under the same key, to whichever process, until it is answered. */
async function sendUntilAnswered(listing: string, side: Side, body: string): Promise<Sent> {
  const key = randomUUID()
  for (let sends = 1; ; sends++) {
    const patience = AbortSignal.timeout(random.between(1, GIVEN_UP) === 1 ? random.between(1, 30) : 10_000)
    try {
      const answer = await fetch(`${await anyProcess()}/api/v1/listings/${listing}/chats/${side.other}/messages`, {
        method: 'POST',
        headers: { ...side.headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ body }),
        signal: patience,
      })
      const said = (await answer.json()) as { data: { seq: number } }
      if (answer.status === 201) return { key, body, seq: said.data.seq, sends }
      assert.ok(answer.status >= 500, `${answer.status} ${JSON.stringify(said)}`)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
  }
}

async function history(url: string, listing: string, side: Side): Promise<string[]> {
  const read: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `${url}/api/v1/listings/${listing}/chats/${side.other}/messages${cursor && `?cursor=${cursor}`}`
    const answer = await fetch(path, { headers: { ...side.headers, connection: 'close' } })
    const page = (await answer.json()) as { data: { seq: number; body: string }[]; meta: { next_cursor: string | null } }
    read.unshift(...page.data.map(({ seq, body }) => `${seq} ${body}`))
    cursor = page.meta.next_cursor
  }
  return read
}

/** A browser's live connection: lost ones are made again after the last event that came. */
function listenTo(side: Side): { seqs: number[] } {
  const listener = { seqs: [1] }
  const follow = async () => {
    let last: string | undefined
    while (!isOver) {
      const resume: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const stream = await openStream(`${await anyProcess()}/api/v1/events?topics=me`, { ...side.headers, ...resume }).catch(
        () => undefined,
      )
      if (!stream) continue
      let taken = 0
      const take = () => {
        for (const { event, data } of stream.events.slice(taken)) if (event === 'chat') listener.seqs.push(data.seq)
        taken = stream.events.length
        return isOver
      }
      await stream.until(take).catch(() => undefined)
      stream.close()
      last = stream.lastId() || last
    }
  }
  void follow()
  return listener
}
