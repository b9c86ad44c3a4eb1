/** What Stripe answers when it refuses: `{ error: { type, code, message, … } }` with a status. */
export class SandboxError extends Error {
  readonly status: number
  readonly error: ErrorBody
  /** The request itself was wrong, so that nothing was begun: no idempotency key remembers it. */
  readonly isUnbegun: boolean
  constructor(status: number, error: ErrorBody, isUnbegun = false) {
    super(error.message)
    this.isUnbegun = isUnbegun
    this.status = status
    this.error = error
  }
}

export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  doc_url?: string
  advice_code?: string
  payment_intent?: object
  setup_intent?: object
  payment_method?: object
}

export const invalid = (message: string, more: { code?: string; param?: string; payment_intent?: object; setup_intent?: object } = {}) =>
  new SandboxError(400, { type: 'invalid_request_error', message, ...more, ...docUrl(more.code) })

/** A parameter is missing, unknown or malformed. */
export const wrongParam = (message: string, more: { code?: string; param: string }) =>
  new SandboxError(400, { type: 'invalid_request_error', message, ...more, ...docUrl(more.code) }, true)

export function missing(kind: string, id: string, param?: string): SandboxError {
  const error = {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: param ?? 'id',
  } as const
  return new SandboxError(param ? 400 : 404, { ...error, ...docUrl('resource_missing') })
}

export const missingParam = (param: string) => wrongParam(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

export const unknownParam = (names: string[]) =>
  wrongParam(`Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`, {
    code: 'parameter_unknown',
    param: names[0] ?? '',
  })

/** A card's refusal. What was written is kept: the intent and the failed charge remember it. */
export const cardError = (error: Omit<ErrorBody, 'type'>) => new SandboxError(402, { type: 'card_error', ...error, ...docUrl(error.code) })

export const docUrl = (code?: string) => (code ? { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` } : {})
