type Limits = {
  /** How many run at the same time. */
  atOnce: number
  /** Called instead of queueing when this many of one user, or of all, already wait; it throws. */
  mostWaitingEach: number
  mostWaiting: number
  refuse: () => never
}

/** Runs work at most `atOnce` at a time: users take turns, and each user's own work runs in order of arrival. */
export function fairQueue({ atOnce, mostWaitingEach, mostWaiting, refuse }: Limits) {
  let running = 0
  // users in the order of their turns: whoever was served last goes to the end
  const waiting = new Map<string, (() => void)[]>()
  const count = () => [...waiting.values()].reduce((sum, { length }) => sum + length, 0)

  function next(): (() => void) | undefined {
    const [turn] = waiting
    if (!turn) return undefined
    const [userId, queue] = turn
    const start = queue.shift()
    waiting.delete(userId)
    if (queue.length > 0) waiting.set(userId, queue)
    return start
  }

  return async <Result>(userId: string, work: () => Promise<Result>): Promise<Result> => {
    const queue = waiting.get(userId) ?? []
    if (running < atOnce) running += 1
    else {
      if (queue.length >= mostWaitingEach || count() >= mostWaiting) refuse()
      await new Promise<void>((resolve) => {
        queue.push(resolve)
        waiting.set(userId, queue)
      })
    }
    try {
      return await work()
    } finally {
      // the place goes straight to the next in turn
      const start = next()
      if (start) start()
      else running -= 1
    }
  }
}
