type Limits = {
  /** How many run at the same time. */
  atOnce: number
  /** Called instead of queueing when this many already wait; it throws. */
  mostWaiting?: number
  refuse?: () => never
}

/** Runs work in order of arrival, at most `atOnce` at a time. */
export function limitConcurrency({ atOnce, mostWaiting = Infinity, refuse }: Limits) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= mostWaiting) refuse?.()
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // the place goes straight to the next in the queue
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
