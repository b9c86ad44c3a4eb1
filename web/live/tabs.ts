import { MOST_LISTING_TOPICS } from '#contract/values/limits.ts'
import { hear, send, tabId } from '#web/live/channel.ts'
import { openConnection, type Connection, type LiveEvent } from '#web/live/connection.ts'
import { takeDuty } from '#web/live/leader.ts'

// One connection per browser. The leading tab has it, follows what all tabs want, and tells them what arrives; the tab that leads
// next goes on after the last event that it heard.

// a page that changes drops what it followed and follows something else in the same breath
const SETTLE_MS = 100

// a connection is not made anew for the sake of a few listings that nobody looks at any more
const MOST_UNWANTED = 20
const ROLL_CALL_EVERY = 6

type Options = { onEvent: (event: LiveEvent) => void; onUp: (isUp: boolean) => void; onGap: () => void; onRefused: () => void }

export type Tabs = { want(topics: string[]): void }

export function joinTabs({ onEvent, onUp, onGap, onRefused }: Options): Tabs {
  const wants = new Map<string, { topics: string[]; round: number }>()
  let own: string[] = []
  let lastId: number | undefined
  let connection: Connection | undefined
  let followed = new Set<string>()
  let isUp = true
  let round = 0
  let settling: ReturnType<typeof setTimeout> | undefined

  function receive(event: LiveEvent, after: number | undefined) {
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
        send('event', { event, after: lastId })
        receive(event, undefined)
      },
      onUp(next) {
        setUp(next)
        send('up', { isUp })
      },
      onRefused,
    })
    send('who', {})
    settle()
  }

  function stopLeading() {
    connection?.close()
    connection = undefined
  }

  function tellUp() {
    send('up', { isUp })
    if (++round % ROLL_CALL_EVERY !== 0) return
    // who did not answer the last call closed without a word
    for (const [from, { round: answered }] of wants) if (answered < round - ROLL_CALL_EVERY) wants.delete(from)
    send('who', {})
  }

  const tellWants = () => send('wants', { tab: tabId, topics: own })
  hear('event', ({ event, after }) => !connection && receive(event, after))
  hear('up', ({ isUp: next }) => !connection && next !== isUp && setUp(next))
  hear('who', tellWants)
  hear('bye', ({ tab }) => void wants.delete(tab))
  hear('wants', ({ tab, topics }) => {
    wants.set(tab, { topics, round })
    settle()
  })
  window.addEventListener('pagehide', () => send('bye', { tab: tabId }))
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    onGap()
    tellWants()
  })
  takeDuty({ start: lead, stop: stopLeading, everyBeat: tellUp })

  return {
    want(topics) {
      own = topics
      if (connection) settle()
      else tellWants()
    },
  }
}

/** As the server takes them: `me` is whoever is logged in now, and more listings than can be named are all of them. */
function topicsOf(wanted: ReadonlySet<string>): string[] {
  const topics = new Set([...wanted].map((topic) => (topic.startsWith('me:') ? 'me' : topic)))
  const listings = [...topics].filter((topic) => topic.startsWith('listing:'))
  return listings.length <= MOST_LISTING_TOPICS ? [...topics] : ['listings', ...(topics.has('me') ? ['me'] : [])]
}
