import { hear, send } from '#web/live/channel.ts'
import { watchActivity } from '#web/live/idle.ts'
import { isLeader, takeDuty } from '#web/live/leader.ts'
import { POLL_EVERY_MS } from '#web/live/timing.ts'

type Options<T> = {
  poll: () => Promise<T>
  /** What the leading tab's poll was answered with, in every tab. */
  onPolled: (answer: T) => void
}

export type Polling = {
  /** In the leading tab: at once, because something is known to be there. Elsewhere that tab does it. */
  pollNow: () => void
  stop: () => void
}

/** SPEC §4 and §9: one tab polls, and none while the user is idle. Runs until it is stopped: when the user logs out. */
export function startPolling<T>({ poll, onPolled }: Options<T>): Polling {
  // by whichever tab: a new leader keeps the rhythm. Never yet: the first poll is due
  let polledAt = -Infinity
  let isPolling = false
  let isWantedAgain = false
  let isStopped = false

  async function pollNow() {
    if (!isLeader() || isStopped) return
    isWantedAgain = isPolling
    if (isPolling) return
    isPolling = true
    polledAt = Date.now()
    try {
      const answer = await poll()
      if (isStopped) return
      send('polled', { at: polledAt, answer })
      onPolled(answer)
    } catch {
      // the next poll asks for the same again; a 401 has ended the session by now (SPEC §2)
    } finally {
      isPolling = false
      if (isWantedAgain) void pollNow()
    }
  }
  const pollIfDue = () => {
    if (!activity.isIdle() && Date.now() - polledAt >= POLL_EVERY_MS) void pollNow()
  }

  const activity = watchActivity({ onReturn: pollIfDue })
  const leaveDuty = takeDuty({ start: pollIfDue, everySecond: pollIfDue })
  const stopHearing = hear('polled', ({ at, answer }) => {
    polledAt = at
    onPolled(answer as T)
  })
  return {
    pollNow: () => void pollNow(),
    stop() {
      isStopped = true
      activity.stop()
      leaveDuty()
      stopHearing()
    },
  }
}
