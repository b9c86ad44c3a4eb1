import { useSyncExternalStore } from 'react'
import { ApiError } from '#web/api/api-error.ts'

// A late answer is no failure: a call that got none within the time limit (SPEC §9) may well have been done. It is asked for again
// under the same idempotency key, which never does it twice, and only after several tries is it told as an error.

/** Before the second, third and fourth try. With 5 s for each answer that is about 25 s. */
const ASK_AGAIN_AFTER_MS = [500, 1_500, 3_000]

type Ask<T> = {
  ask: () => Promise<T>
  /** What refuses a second call because the first one was done: the answer of before, in other words. */
  whenDoneBefore?: (refusal: ApiError) => T | undefined
}

export async function askUntilAnswered<T>({ ask, whenDoneBefore }: Ask<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isUnanswered(error)) throw error
  }
  change(1)
  try {
    for (const wait of ASK_AGAIN_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      try {
        return await ask()
      } catch (error) {
        const answer = error instanceof ApiError ? whenDoneBefore?.(error) : undefined
        if (answer !== undefined) return answer
        if (!isUnanswered(error)) throw error
      }
    }
    throw new ApiError({ status: 0, code: 'timeout', message: noAnswer })
  } finally {
    change(-1)
  }
}

const noAnswer =
  'We asked several times and got no answer. What you typed is kept. Check your connection and try again: nothing is done twice.'

const isUnanswered = (error: unknown) => error instanceof ApiError && (['timeout', 'unreachable'].includes(error.code) || error.isUnderWay)

let askingAgain = 0
const readers = new Set<() => void>()

function change(by: 1 | -1) {
  askingAgain += by
  for (const reader of readers) reader()
}

function subscribe(reader: () => void) {
  readers.add(reader)
  return () => void readers.delete(reader)
}

/** Whether a call waits for its answer longer than usual. */
export const useIsAskingAgain = (): boolean => useSyncExternalStore(subscribe, () => askingAgain > 0)
