import type { LiveEvents } from '#contract/live.ts'

export type LiveKind = keyof LiveEvents
export type LiveEvent = { [K in LiveKind]: { kind: K; id: number; data: LiveEvents[K] } }[LiveKind]

// a kind that is missing here does not compile
const kinds = Object.keys({
  listing: true,
  gone: true,
  standing: true,
  sale: true,
  notifications: true,
  chat: true,
  conversation: true,
  enquiry: true,
  reset: true,
  versions: true,
} satisfies Record<LiveKind, true>) as LiveKind[]
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

export type Connection = {
  /** From here on these are followed; what was missed on the way from one connection to the next comes first. */
  follow(topics: readonly string[]): void
  close(): void
}

type Options = {
  lastId: () => number | undefined
  onEvent: (event: LiveEvent) => void
  onUp: (isUp: boolean) => void
  onRefused: () => void
}

/** One EventSource that goes on after `lastId`, and is made again when the browser gives it up. */
export function openConnection({ lastId, onEvent, onUp, onRefused }: Options): Connection {
  let source: EventSource | undefined
  let topics: readonly string[] = []
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect() {
    clearTimeout(timer)
    source?.close()
    source = undefined
    if (topics.length === 0) return onUp(true)
    const from = lastId()
    const next = new EventSource(
      `/api/v1/events?${new URLSearchParams({ topics: topics.join(','), versions: '1', ...(from !== undefined && { last_event_id: String(from) }) })}`,
    )
    source = next
    for (const kind of kinds)
      next.addEventListener(kind, ({ data, lastEventId }) => onEvent({ kind, id: Number(lastEventId), data: JSON.parse(data) }))
    next.addEventListener('open', () => {
      failures = 0
      onUp(true)
    })
    next.addEventListener('error', () => {
      onUp(false)
      // a lost connection is made again by the browser; one that was refused is not
      if (next.readyState !== EventSource.CLOSED) return
      onRefused()
      timer = setTimeout(connect, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++))
    })
  }

  // a connection may look alive for minutes after the network went away
  const offline = () => {
    source?.close()
    onUp(false)
  }
  window.addEventListener('offline', offline)
  window.addEventListener('online', connect)
  return {
    follow(next) {
      topics = next
      connect()
    },
    close() {
      window.removeEventListener('offline', offline)
      window.removeEventListener('online', connect)
      clearTimeout(timer)
      source?.close()
    },
  }
}
