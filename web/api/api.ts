import type { accountEndpoints, deletionEndpoints } from '#contract/account.ts'
import type { activityEndpoints } from '#contract/activity.ts'
import type { auditEndpoints } from '#contract/admin/audit.ts'
import type { bidEndpoints } from '#contract/bids.ts'
import type { chatEndpoints } from '#contract/people/chat.ts'
import type { configEndpoints } from '#contract/config.ts'
import type { adminDocumentEndpoints, documentEndpoints } from '#contract/documents.ts'
import type { Call } from '#contract/endpoint.ts'
import type { listingEndpoints } from '#contract/listings.ts'
import type { locationEndpoints } from '#contract/location.ts'
import type { conversationEndpoints } from '#contract/market/conversations.ts'
import type { enquiryEndpoints } from '#contract/market/enquiries.ts'
import type { notificationEndpoints } from '#contract/notifications.ts'
import type { onboardingEndpoints } from '#contract/onboarding.ts'
import type { recordEndpoints } from '#contract/sales/papers.ts'
import type { adminPaymentEndpoints, paymentEndpoints } from '#contract/payments.ts'
import type { preferenceEndpoints } from '#contract/market/preferences.ts'
import type { secondFactorEndpoints } from '#contract/people/second-factor.ts'
import type { payingEndpoints } from '#contract/sales/paying.ts'
import type { saleEndpoints } from '#contract/sales/sales.ts'
import type { savedSearchEndpoints } from '#contract/saved-searches.ts'
import type { searchEndpoints } from '#contract/search.ts'
import type { storageEndpoints } from '#contract/storage.ts'
import { API_TIMEOUT_MS } from '#contract/values/limits.ts'
import { ApiError, messageOf, type FieldErrors } from '#web/api/api-error.ts'

type Table = typeof accountEndpoints &
  typeof deletionEndpoints &
  typeof onboardingEndpoints &
  typeof documentEndpoints &
  typeof configEndpoints &
  typeof locationEndpoints &
  typeof listingEndpoints &
  typeof searchEndpoints &
  typeof bidEndpoints &
  typeof payingEndpoints &
  typeof saleEndpoints &
  typeof activityEndpoints &
  typeof chatEndpoints &
  typeof savedSearchEndpoints &
  typeof notificationEndpoints &
  typeof paymentEndpoints &
  typeof recordEndpoints &
  typeof enquiryEndpoints &
  typeof conversationEndpoints &
  typeof preferenceEndpoints &
  typeof storageEndpoints &
  typeof secondFactorEndpoints &
  typeof adminDocumentEndpoints &
  typeof adminPaymentEndpoints &
  typeof auditEndpoints
type Key = keyof Table
type Part<Name extends string, T> = undefined extends T ? { [N in Name]?: T } : { [N in Name]: T }
type Options<K extends Key> = Part<'body', Call<Table[K]>['body']> &
  Part<'query', Call<Table[K]>['query']> &
  Part<'params', Call<Table[K]>['params']> & {
    signal?: AbortSignal
    /** SPEC §2: a 401 on this call is its caller's business. */
    skipAuthRedirect?: boolean
    isWebRequest?: boolean
    /** API.md: the same key and body are answered the same, so a call without an answer may be sent again. */
    idempotencyKey?: string
  }
type Given<K extends Key> = {} extends Options<K> ? [options?: Options<K>] : [options: Options<K>]
type Reply<K extends Key> = Call<Table[K]>['reply']

const listeners = { unauthorised: () => {}, version: (_version: string) => {} }

export const whenUnauthorised = (listener: () => void) => void (listeners.unauthorised = listener)
export const whenVersionIsSeen = (listener: (version: string) => void) => void (listeners.version = listener)

/** The one way to the server: cookies, CSRF token, JSON, a time limit, and errors in one shape. */
export async function call<K extends Key>(key: K, ...[options]: Given<K>): Promise<Reply<K>> {
  const given = (options ?? {}) as AnyOptions
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort('timeout'), API_TIMEOUT_MS)
  const cancel = () => limit.abort('cancelled')
  given.signal?.addEventListener('abort', cancel)
  try {
    return (await send(key, given, limit.signal)) as Reply<K>
  } catch (error) {
    throw translate(error, limit.signal)
  } finally {
    clearTimeout(timer)
    given.signal?.removeEventListener('abort', cancel)
  }
}

type AnyOptions = {
  body?: unknown
  query?: object | undefined
  params?: Record<string, string> | undefined
  signal?: AbortSignal
  skipAuthRedirect?: boolean
  isWebRequest?: boolean
  idempotencyKey?: string
}

async function send(key: Key, options: AnyOptions, signal: AbortSignal, isRetry = false): Promise<unknown> {
  const [method, pattern] = key.split(' ') as [string, string]
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(options.params?.[name] ?? ''))
  const query = new URLSearchParams({ ...options.query, ...(options.isWebRequest && { isWebRequest: '1' }) }).toString()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET') headers['x-xsrf-token'] = csrfToken() ?? (await freshCsrfToken(signal))
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey

  const response = await fetch(query ? `${path}?${query}` : path, {
    method,
    headers,
    signal,
    credentials: 'include',
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })
  const version = response.headers.get('x-app-version')
  if (version) listeners.version(version)

  if (response.status === 419 && !isRetry) {
    await freshCsrfToken(signal)
    return send(key, options, signal, true)
  }
  if (response.status === 401 && !options.skipAuthRedirect) listeners.unauthorised()
  if (!response.ok) throw await refusal(response)
  return response.status === 204 ? undefined : response.json()
}

/** A file of ours, fetched before it is saved: a download that fails would otherwise save what the server said about it. */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await fetch(path, { credentials: 'include' }).catch((error: unknown) => {
    throw translate(error, undefined)
  })
  if (response.status === 401) listeners.unauthorised()
  if (!response.ok) throw await refusal(response)
  return response.blob()
}

const csrfToken = (): string | undefined => {
  const value = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]*)/)?.[1]
  return value && decodeURIComponent(value)
}

async function freshCsrfToken(signal: AbortSignal): Promise<string> {
  await fetch('/sanctum/csrf-cookie', { credentials: 'include', headers: { accept: 'application/json' }, signal })
  return csrfToken() ?? ''
}

async function refusal(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => ({}))) as {
    message?: string
    code?: string
    errors?: FieldErrors
    minimum_bid?: { value: number }
  }
  return new ApiError({
    status: response.status,
    code: answer.code ?? 'unknown',
    message: answer.message || `The server answered ${response.status}. Try again in a moment.`,
    ...(answer.errors && { errors: answer.errors }),
    ...(answer.minimum_bid && { minimum_bid: answer.minimum_bid.value }),
  })
}

function translate(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof ApiError) return error
  if (signal?.reason === 'cancelled') return new ApiError({ status: 0, code: 'cancelled', message: 'Cancelled' })
  if (signal?.reason === 'timeout') {
    return new ApiError({
      status: 0,
      code: 'timeout',
      message: `No answer within ${API_TIMEOUT_MS / 1000} seconds. Check your connection and try again.`,
    })
  }
  if (error instanceof TypeError)
    return new ApiError({ status: 0, code: 'unreachable', message: 'Yardbid cannot be reached. Check your connection and try again.' })
  return new ApiError({ status: 0, code: 'unknown', message: messageOf(error) })
}
