import { refuse } from '#server/http/errors.ts'

/** Runs so much work at once and lets the rest wait in line; a line that is too long is refused at its end. */
export function turns(atOnce: number, mostWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length >= mostWaiting) {
      throw refuse('unavailable', 'Many files are being checked. Please try again in a moment.', { retryAfterSeconds: 5 })
    }
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // the place goes straight to the next in line
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
