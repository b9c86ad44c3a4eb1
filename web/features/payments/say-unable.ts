import { ApiError, messageOf } from '#web/api-error.ts'
import { notify } from '#web/notices.ts'

/** SPEC §8: what could not be done, why, and the way to try again where that may help. */
export function sayUnable(title: string, error: unknown, retry: () => void): void {
  if (error instanceof ApiError && (error.code === 'cancelled' || error.status === 401)) return
  const canRetry = error instanceof ApiError && error.canRetry
  notify({ type: 'danger', title, body: messageOf(error), ...(canRetry && { action: { label: 'Try again', handler: retry } }) })
}
