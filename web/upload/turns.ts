/** Lets only so many run at once; the rest wait for their turn. */
export function turnsOf(atOnce: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++
    else await new Promise<void>((goOn) => waiting.push(goOn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
