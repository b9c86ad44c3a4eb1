import { hear, send } from '#web/live/channel.ts'
import { watchActivity } from '#web/live/idle.ts'
import { isLeader, takeDuty } from '#web/live/leader.ts'
import { POLL_EVERY_MS } from '#web/live/timing.ts'

type Options<T> = {
  poll: () => Promise<T>
  /** What the leading tab's poll was answered with, in every tab. */
  onPolled: (answer: T) => void
}

/** SPEC §4 and §9: one tab polls, and none while the user is idle. Runs until it is stopped: when the user logs out. */
export function startPolling<T>({ poll, onPolled }: Options<T>): () => void {
  // whichever tab polled: a new leader keeps the rhythm
  let polledAt = Date.now()
  let isStopped = false

  async function pollIfDue() {
    if (activity.isIdle() || Date.now() - polledAt < POLL_EVERY_MS) return
    polledAt = Date.now()
    try {
      const answer = await poll()
      if (isStopped) return
      send('polled', { answer })
      onPolled(answer)
    } catch {
      // the next poll asks for the same again; a 401 has ended the session by now (SPEC §2)
    }
  }

  const activity = watchActivity({ onReturn: () => isLeader() && void pollIfDue() })
  const leaveDuty = takeDuty({ everySecond: () => void pollIfDue() })
  const stopHearing = hear('polled', ({ answer }) => {
    polledAt = Date.now()
    onPolled(answer as T)
  })
  return () => {
    isStopped = true
    activity.stop()
    leaveDuty()
    stopHearing()
  }
}
