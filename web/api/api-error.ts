export type FieldErrors = Record<string, string[]>

/** What any failed call becomes. Status 0: no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  /** What a bid that was too low must be at least, in pence. */
  readonly minimum_bid: number | undefined

  constructor(answer: { status: number; code: string; message: string; errors?: FieldErrors; minimum_bid?: number }) {
    super(answer.message)
    this.name = 'ApiError'
    this.status = answer.status
    this.code = answer.code
    this.errors = answer.errors ?? {}
    this.minimum_bid = answer.minimum_bid
  }

  /** The fault is not in what was sent: the same call may succeed next time. */
  get canRetry(): boolean {
    return this.status === 0 || this.status >= 500 || this.isUnderWay
  }

  /** An earlier try with the same key still runs: its answer is kept under the key a moment later. */
  get isUnderWay(): boolean {
    return this.code === 'idempotency_key_in_use'
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong')
