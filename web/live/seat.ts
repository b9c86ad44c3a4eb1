import { canTalk, tabId } from '#web/live/channel.ts'
import { BEAT_EVERY_MS, STALE_AFTER_MS } from '#web/live/timing.ts'

/** The leading tab sits in it: one tab of the browser at a time. */
export type Seat = {
  /** Takes the seat as soon as it is free. */
  wait: () => void
  /** Takes the seat from a tab that has fallen silent. */
  steal: () => void
  leave: () => void
}

type Options = { onTaken: () => void; onLost: () => void }

/** Locks need a secure context: on plain http under another name than localhost a lease in the local storage does their work. */
export function openSeat(options: Options): Seat {
  if (!canTalk) return ownSeat(options)
  if ('locks' in navigator) return lockSeat(options)
  return hasStorage() ? leaseSeat(options) : ownSeat(options)
}

/** Tabs that cannot talk to each other work each for itself. */
const ownSeat = ({ onTaken, onLost }: Options): Seat => ({ wait: onTaken, steal: onTaken, leave: onLost })

/** The browser frees the lock of a tab that closes or crashes. */
function lockSeat({ onTaken, onLost }: Options): Seat {
  let release: (() => void) | undefined
  let waiting: AbortController | undefined

  async function hold(options: LockOptions) {
    let isHeld = false
    try {
      await navigator.locks.request('leader', options, () => {
        isHeld = true
        onTaken()
        return new Promise<void>((resolve) => (release = resolve))
      })
      onLost()
    } catch {
      if (!isHeld) return
      // another tab stole the lock because this one was silent
      onLost()
      wait()
    }
  }
  function wait() {
    waiting = new AbortController()
    void hold({ signal: waiting.signal })
  }
  return {
    wait,
    steal() {
      waiting?.abort()
      void hold({ steal: true })
    },
    leave() {
      waiting?.abort()
      release?.()
    },
  }
}

type Lease = { tab: string; until: number }

const LEASE = 'leading_tab'
// storage cannot compare and set: of two tabs that write at once, the one whose lease is still there after this long has the seat
const SETTLE_MS = 200

function leaseSeat({ onTaken, onLost }: Options): Seat {
  let state: 'away' | 'waiting' | 'claiming' | 'seated' = 'away'

  const isFree = () => {
    const lease = readLease()
    return !lease || lease.tab === tabId || lease.until < Date.now()
  }
  const write = () => localStorage.setItem(LEASE, JSON.stringify({ tab: tabId, until: Date.now() + STALE_AFTER_MS } satisfies Lease))

  function claim() {
    state = 'claiming'
    write()
    setTimeout(() => {
      if (state !== 'claiming') return
      const isOurs = readLease()?.tab === tabId
      state = isOurs ? 'seated' : 'waiting'
      if (isOurs) onTaken()
    }, SETTLE_MS)
  }
  function look() {
    if (state === 'waiting' && isFree()) claim()
    else if (state === 'seated' && readLease()?.tab !== tabId) {
      state = 'waiting'
      onLost()
    }
  }
  setInterval(() => {
    look()
    if (state === 'seated') write()
  }, BEAT_EVERY_MS)
  window.addEventListener('storage', ({ key }) => key === LEASE && look())

  return {
    wait() {
      state = 'waiting'
      look()
    },
    steal: claim,
    leave() {
      const wasSeated = state === 'seated'
      state = 'away'
      if (!wasSeated) return
      localStorage.removeItem(LEASE)
      onLost()
    },
  }
}

function readLease(): Lease | null {
  try {
    return JSON.parse(localStorage.getItem(LEASE) ?? 'null') as Lease | null
  } catch {
    return null
  }
}

function hasStorage(): boolean {
  try {
    localStorage.getItem(LEASE)
    return true
  } catch {
    return false
  }
}
