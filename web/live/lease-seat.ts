import { tabId } from '#web/live/channel.ts'
import type { Seat, SeatOptions } from '#web/live/seat.ts'
import { BEAT_EVERY_MS, STALE_AFTER_MS } from '#web/live/timing.ts'

type Lease = { tab: string; until: number }

const LEASE = 'leading_tab'
// storage cannot compare and set: of two tabs that write at once, the one whose lease is still there after this long has the seat
const SETTLE_MS = 200

/** Where there are no locks: the leading tab writes its name and a time into the local storage, and again while it is alive. */
export function leaseSeat({ onTaken, onLost }: SeatOptions): Seat | undefined {
  if (!hasStorage()) return undefined
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
