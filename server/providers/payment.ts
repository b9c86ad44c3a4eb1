import { Stripe } from 'stripe'
import { measureCall } from '#server/metrics/metrics.ts'
import { refuse } from '#server/http/errors.ts'

// The payment provider: Stripe's own SDK, at Stripe or at the sandbox's server. Nothing else speaks to it.

export type Payment = {
  readonly stripe: Stripe
  webhookSecret: string
  publishableKey: string
  /** The sandbox's address; null at Stripe. */
  apiBase: string | null
  /** Where this process reaches it, which may be another address than the browsers'; null at Stripe. */
  speakTo: string | null
}

type Keys = { secretKey: string; publishableKey: string; webhookSecret: string }

/** Below the five seconds that a page waits (SPEC §9). */
const ANSWER_WITHIN_MS = 4_000

/** `speakTo` is where the sandbox listens; `apiBase` how browsers reach it. */
export function openPayment(keys: Keys, sandbox?: { speakTo: string; apiBase: string }, answerWithinMs = ANSWER_WITHIN_MS): Payment {
  const { hostname, port } = new URL(sandbox?.speakTo ?? 'https://api.stripe.com')
  const stripe = new Stripe(keys.secretKey, {
    ...(sandbox && { protocol: 'http' as const, host: hostname, port }),
    timeout: answerWithinMs,
    // we repeat ourselves, by the intent that we wrote down, with its key
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: measuredClient(),
    appInfo: { name: 'Yardbid' },
  })
  const { webhookSecret, publishableKey } = keys
  return { stripe, webhookSecret, publishableKey, apiBase: sandbox?.apiBase ?? null, speakTo: sandbox?.speakTo ?? null }
}

/** Stripe's own client, with its calls measured. */
function measuredClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (...given) =>
    measureCall(
      'payment',
      () => makeRequest(...given),
      (answer) => outcomeByStatus(answer.getStatusCode()),
    )
  return client
}

const outcomeByStatus = (status: number) => (status < 400 ? 'ok' : status < 500 && status !== 429 ? 'refused' : 'failed')

/** Outside the sandbox without keys: whoever needs the provider is told so, and jobs wait until it is there. */
export const noPayment: Payment = {
  get stripe(): Stripe {
    throw refuse('unavailable', 'Payments are not set up yet. Please try again later.', {
      code: 'provider_missing',
      retryAfterSeconds: 300,
    })
  },
  webhookSecret: '',
  publishableKey: '',
  apiBase: null,
  speakTo: null,
}

export type ProviderError = { type: string; code: string | null; decline_code: string | null; message: string; status: number | null }

/**
 * What became of a call that failed. Refused: the provider says that it did nothing. Unsure: it may have done it, or will when it
 * is asked again: no answer, a fault of its own, too many calls, the same key still in work. A key that we gave to something else
 * (`idempotency_error`) or credentials that are wrong are our fault, and no reason to tell a user that nothing can be done.
 */
export function outcomeOf(error: unknown): 'refused' | 'unsure' {
  if (!(error instanceof Stripe.errors.StripeError)) return 'unsure'
  const { statusCode = 0, rawType } = error
  const isDefinite = statusCode >= 400 && statusCode < 500 && ![401, 403, 409, 429].includes(statusCode)
  return isDefinite && rawType !== 'idempotency_error' ? 'refused' : 'unsure'
}

/** `account_invalid` is what is said of an account that is not there, or not ours. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && ['resource_missing', 'account_invalid'].includes(error.code ?? '')

/** For the intent's row and the log: what the provider said, never what it was sent. */
export function errorOf(error: unknown): ProviderError {
  if (!(error instanceof Stripe.errors.StripeError))
    return { type: 'fault', code: null, decline_code: null, message: String(error), status: null }
  const { rawType, type, code, decline_code, message, statusCode } = error
  return { type: rawType ?? type, code: code ?? null, decline_code: decline_code ?? null, message, status: statusCode ?? null }
}

export const providerIsAway = () =>
  refuse('unavailable', 'The payment provider is not answering. Nothing is lost: please try again in a moment.', {
    code: 'provider_unavailable',
    retryAfterSeconds: 5,
  })

/** A look at the provider for somebody who waits: what cannot be read now is a 503, what is not there is undefined. */
export async function look<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isMissing(error)) return undefined
    // what it refuses to tell is our mistake, and no bad moment
    throw error instanceof Stripe.errors.StripeError && outcomeOf(error) === 'unsure' ? providerIsAway() : error
  }
}
