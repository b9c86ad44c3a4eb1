import { MOST_LISTING_TOPICS } from '#contract/values/limits.ts'
import { newId } from '#web/sending/new-id.ts'
import { openConnection, type Connection, type LiveEvent } from '#web/live/connection.ts'

// One connection per browser. The tab that holds the lock has it, follows what all tabs want, and tells them what arrives;
// when it closes or falls silent another takes over and goes on after the last event that it heard.

const BEAT_EVERY_MS = 5_000
// two beats and a bit: a leader whose timers the browser slows down is not dead, but a visible tab does better itself
const SILENT_AFTER_MS = 12_000
// a page that changes drops what it followed and follows something else in the same breath
const SETTLE_MS = 100

// a connection is not made anew for the sake of a few listings that nobody looks at any more
const MOST_UNWANTED = 20
const ROLL_CALL_EVERY = 6

type Message =
  | { type: 'event'; event: LiveEvent; after: number | undefined }
  | { type: 'wants'; tab: string; topics: string[] }
  | { type: 'bye'; tab: string }
  | { type: 'beat'; isUp: boolean }
  | { type: 'who' }

type Options = { onEvent: (event: LiveEvent) => void; onUp: (isUp: boolean) => void; onGap: () => void; onRefused: () => void }

export type Tabs = { want(topics: string[]): void; isLeader(): boolean }

export function joinTabs({ onEvent, onUp, onGap, onRefused }: Options): Tabs {
  const tab = newId()
  const canShare = 'locks' in navigator && 'BroadcastChannel' in window
  const channel = canShare ? new BroadcastChannel('live') : undefined
  const wants = new Map<string, { topics: string[]; round: number }>()
  let own: string[] = []
  let lastId: number | undefined
  let connection: Connection | undefined
  let followed = new Set<string>()
  let isUp = true
  let heardAt = Date.now()
  let release: (() => void) | undefined
  let waiting: AbortController | undefined
  let round = 0
  let settling: ReturnType<typeof setTimeout> | undefined

  const send = (message: Message) => channel?.postMessage(message)

  function hear(event: LiveEvent, after: number | undefined) {
    // an event that this tab has not heard came before this one: it was asleep
    if (after !== undefined && lastId !== undefined && after > lastId) onGap()
    const isOld = lastId !== undefined && event.id <= lastId && event.kind !== 'versions' && event.kind !== 'reset'
    if (isOld) return
    lastId = event.kind === 'reset' ? event.id : Math.max(lastId ?? 0, event.id)
    onEvent(event)
  }

  function setUp(next: boolean) {
    isUp = next
    onUp(next)
  }

  function settle() {
    clearTimeout(settling)
    settling = setTimeout(followAll, SETTLE_MS)
  }

  function followAll() {
    if (!connection) return
    const union = new Set([...own, ...[...wants.values()].flatMap(({ topics }) => topics)])
    const isCovered = [...union].every((topic) => followed.has(topic))
    const isSomebodyElses = [...followed].some((topic) => topic.startsWith('me:') && !union.has(topic))
    if (isCovered && !isSomebodyElses && followed.size <= union.size + MOST_UNWANTED) return
    followed = union
    connection.follow(topicsOf(union))
  }

  function lead() {
    followed = new Set()
    connection = openConnection({
      lastId: () => lastId,
      onEvent(event) {
        send({ type: 'event', event, after: lastId })
        hear(event, undefined)
      },
      onUp(next) {
        setUp(next)
        send({ type: 'beat', isUp })
      },
      onRefused,
    })
    send({ type: 'who' })
    settle()
  }

  function stopLeading() {
    connection?.close()
    connection = undefined
  }

  function queue() {
    waiting = new AbortController()
    void hold({ signal: waiting.signal })
  }

  /** Until this tab lets go, or another takes over. */
  async function hold(options: LockOptions) {
    let isHeld = false
    try {
      await navigator.locks.request('live', options, () => {
        isHeld = true
        lead()
        return new Promise<void>((resolve) => (release = resolve))
      })
      stopLeading()
    } catch {
      if (!isHeld) return
      // another tab took the lock because this one was silent
      stopLeading()
      queue()
    }
  }

  const onMessage: { [T in Message['type']]: (message: Extract<Message, { type: T }>) => void } = {
    event({ event, after }) {
      heardAt = Date.now()
      if (!connection) hear(event, after)
    },
    wants({ tab: from, topics }) {
      wants.set(from, { topics, round })
      settle()
    },
    bye: ({ tab: from }) => void wants.delete(from),
    beat({ isUp: next }) {
      heardAt = Date.now()
      if (!connection && next !== isUp) setUp(next)
    },
    who: () => send({ type: 'wants', tab, topics: own }),
  }

  function beat() {
    send({ type: 'beat', isUp })
    if (++round % ROLL_CALL_EVERY !== 0) return
    // who did not answer the last call closed without a word
    for (const [from, { round: answered }] of wants) if (answered < round - ROLL_CALL_EVERY) wants.delete(from)
    send({ type: 'who' })
  }

  function watch() {
    if (connection) return beat()
    if (document.visibilityState !== 'visible' || Date.now() - heardAt < SILENT_AFTER_MS) return
    heardAt = Date.now()
    waiting?.abort()
    void hold({ steal: true })
  }

  if (!channel) lead()
  else {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage[data.type](data as never))
    setInterval(watch, BEAT_EVERY_MS)
    queue()
    window.addEventListener('pagehide', () => {
      send({ type: 'bye', tab })
      waiting?.abort()
      release?.()
    })
    window.addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      onGap()
      send({ type: 'wants', tab, topics: own })
      queue()
    })
  }

  return {
    want(topics) {
      own = topics
      if (connection) settle()
      else send({ type: 'wants', tab, topics })
    },
    isLeader: () => connection !== undefined,
  }
}

/** As the server takes them: `me` is whoever is logged in now, and more listings than can be named are all of them. */
function topicsOf(wanted: ReadonlySet<string>): string[] {
  const topics = new Set([...wanted].map((topic) => (topic.startsWith('me:') ? 'me' : topic)))
  const listings = [...topics].filter((topic) => topic.startsWith('listing:'))
  return listings.length <= MOST_LISTING_TOPICS ? [...topics] : ['listings', ...(topics.has('me') ? ['me'] : [])]
}
