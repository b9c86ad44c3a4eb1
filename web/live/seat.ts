import { canTalk } from '#web/live/channel.ts'

/** The leading tab sits in it: one tab of the browser at a time. */
export type Seat = {
  /** Takes the seat as soon as it is free. */
  wait: () => void
  /** Takes the seat from a tab that has fallen silent. */
  steal: () => void
  leave: () => void
}

export type SeatOptions = { onTaken: () => void; onLost: () => void }

/** Locks need a secure context: on plain http under another name than localhost a lease in the local storage does their work. */
export async function openSeat(options: SeatOptions): Promise<Seat> {
  if (!canTalk) return ownSeat(options)
  if ('locks' in navigator) return lockSeat(options)
  const { leaseSeat } = await import('#web/live/lease-seat.ts')
  return leaseSeat(options) ?? ownSeat(options)
}

/** Tabs that cannot talk to each other work each for itself. */
const ownSeat = ({ onTaken, onLost }: SeatOptions): Seat => ({ wait: onTaken, steal: onTaken, leave: onLost })

/** The browser frees the lock of a tab that closes or crashes. */
function lockSeat({ onTaken, onLost }: SeatOptions): Seat {
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
