export type Loop = {
  wake: () => void
  /** Resolves when it has looked once more and found nothing to do now. */
  idle: () => Promise<void>
  stop: () => Promise<void>
}

/** Does the step again and again: at once while there is more to do, else when woken or after a while. */
export function startLoop({
  step,
  everyMs,
  report,
}: {
  step: () => Promise<boolean>
  everyMs: number
  report: (error: unknown) => void
}): Loop {
  let isStopped = false
  let rise: (() => void) | undefined
  let isWoken = false
  let waiting: (() => void)[] = []
  const tellIdle = () => {
    for (const done of waiting) done()
    waiting = []
  }
  const rest = () =>
    new Promise<void>((done) => {
      if (isWoken || isStopped) return done()
      tellIdle()
      const timer = setTimeout(done, everyMs)
      rise = () => {
        clearTimeout(timer)
        done()
      }
    })
  const run = async () => {
    while (!isStopped) {
      isWoken = false
      const hasMore = await step().catch((error: unknown) => {
        if (!isStopped) report(error)
        return false
      })
      if (!hasMore) await rest()
    }
    tellIdle()
  }
  const ended = run()
  const wake = () => {
    isWoken = true
    rise?.()
  }
  return {
    wake,
    idle: async () => {
      if (isStopped) return
      wake()
      await new Promise<void>((done) => waiting.push(done))
    },
    stop: async () => {
      isStopped = true
      wake()
      await ended
    },
  }
}
