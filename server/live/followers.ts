import type { Socket } from 'node:net'

/** What somebody follows. */
export type StreamTopics = {
  listingIds: readonly string[]
  /** Every public listing. */
  isAll: boolean
  /** Enquiries of the market. */
  isMarket: boolean
  /** Whose own events, by which session. */
  me: { userId: string; tokenHash: string } | null
}

/** One open stream. `waiting` gathers what comes while it still catches up. */
export type Follower = {
  readonly socket: Socket
  readonly wanted: StreamTopics
  waiting: Buffer[] | null
  /** How much has gone out while more is waiting, and since when. */
  stuckAt?: { sentBytes: number; since: number } | undefined
}

// whoever is this far behind is let go, and comes back for what was missed
const MOST_UNSENT_BYTES = 1_000_000
const MOST_WAITING = 20_000
const MOST_PATIENCE_MS = 10_000
const HEARTBEAT_EVERY_MS = 15_000
// the beats of thousands of streams are spread, so that none of them holds up a price
const SLOTS = 15
const heartbeat = Buffer.from(':\n\n')

/** What an event is about, and whose it is; nobody's is for all who follow it. */
type Event = { kind: string; listing_id: string | null; user_id: string | null }

export function keepFollowers() {
  const everybody = new Set<Follower>()
  const onAll = new Set<Follower>()
  const onMarket = new Set<Follower>()
  const byListing = new Map<string, Set<Follower>>()
  const byUser = new Map<string, Set<Follower>>()
  let isStopped = false

  function* placesOf({ wanted: { listingIds, isAll, me } }: Follower): Generator<[Map<string, Set<Follower>>, string]> {
    // who follows all of them gets each of them once
    if (!isAll) for (const id of listingIds) yield [byListing, id]
    if (me) yield [byUser, me.userId]
  }

  function add(follower: Follower): void {
    everybody.add(follower)
    if (follower.wanted.isAll) onAll.add(follower)
    if (follower.wanted.isMarket) onMarket.add(follower)
    for (const [places, key] of placesOf(follower)) {
      const there = places.get(key)
      if (there) there.add(follower)
      else places.set(key, new Set([follower]))
    }
    follower.socket.once('close', () => remove(follower))
    if (isStopped) endStream(follower.socket)
    if (follower.socket.destroyed) remove(follower)
  }

  function remove(follower: Follower): void {
    everybody.delete(follower)
    onAll.delete(follower)
    onMarket.delete(follower)
    for (const [places, key] of placesOf(follower)) {
      const there = places.get(key)
      there?.delete(follower)
      if (there?.size === 0) places.delete(key)
    }
  }

  function send(followers: Iterable<Follower>, bytes: Buffer): void {
    for (const follower of followers) {
      if (!follower.waiting) write(follower, bytes)
      else if (follower.waiting.push(bytes) > MOST_WAITING) follower.socket.destroy()
    }
  }

  let beat = 0
  const timer = setInterval(() => {
    beat = (beat + 1) % SLOTS
    let nth = 0
    for (const follower of everybody) {
      if (nth++ % SLOTS !== beat || follower.waiting) continue
      if (readsNothing(follower)) follower.socket.destroy()
      else write(follower, heartbeat)
    }
  }, HEARTBEAT_EVERY_MS / SLOTS)

  return {
    everybody,
    add,
    /** Whether anybody follows what this is about: nobody needs what nobody reads. */
    isWanted({ kind, listing_id, user_id }: Event): boolean {
      if (user_id !== null) return byUser.has(user_id)
      return kind === 'enquiry' ? onMarket.size > 0 : onAll.size > 0 || byListing.has(listing_id ?? '')
    },
    deliver({ kind, listing_id, user_id }: Event, bytes: Buffer): void {
      if (user_id !== null) return send(byUser.get(user_id) ?? [], bytes)
      if (kind === 'enquiry') return send(onMarket, bytes)
      send(onAll, bytes)
      send(byListing.get(listing_id ?? '') ?? [], bytes)
    },
    stop(): void {
      isStopped = true
      clearInterval(timer)
      for (const { socket } of everybody) endStream(socket)
    },
  }
}

/** In good order, unless the reader is so slow that it would take a while. */
export function endStream(socket: Socket): void {
  if (socket.writableLength === 0) socket.destroySoon()
  else socket.destroy()
}

export function write({ socket }: Follower, bytes: Buffer): void {
  if (socket.writableLength > MOST_UNSENT_BYTES) socket.destroy()
  else if (!socket.destroyed) socket.write(bytes)
}

/** Whether nothing of what waits has gone out for too long. Node's own time-out never passes: the heartbeats are written all the same. */
function readsNothing(follower: Follower): boolean {
  const { writableLength, bytesWritten } = follower.socket
  const sentBytes = bytesWritten - writableLength
  const now = Date.now()
  if (writableLength === 0) follower.stuckAt = undefined
  else if (follower.stuckAt?.sentBytes !== sentBytes) follower.stuckAt = { sentBytes, since: now }
  return follower.stuckAt !== undefined && now - follower.stuckAt.since >= HEARTBEAT_EVERY_MS
}

/** Resolves when what was written has gone out, or when nobody is there any more to read it. */
export async function drained({ socket }: Follower): Promise<void> {
  if (socket.destroyed || !socket.writableNeedDrain) return
  await new Promise<void>((resolve) => {
    // who catches up holds a turn that others wait for
    const timer = setTimeout(() => socket.destroy(), MOST_PATIENCE_MS)
    const done = () => {
      clearTimeout(timer)
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}
