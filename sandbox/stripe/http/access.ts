import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { SandboxError, invalid } from '#sandbox/stripe/http/errors.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'

type Keys = { secretKey: string; publishableKey: string }

/** secret: the secret key. browser: a publishable key too. open: no key, such as the hosted pages. */
export type Access = 'secret' | 'browser' | 'open'

/** Who asks: the holder of the secret key, or a browser with the publishable one (or with nothing but a client_secret). */
export function checkKey(access: Access, headers: IncomingHttpHeaders, form: Form, keys: Keys): { isPublishable: boolean } {
  const key = givenKey(headers) ?? form.text('key')
  if (access === 'open') return { isPublishable: false }
  if (key !== undefined && isSame(key, keys.secretKey)) return { isPublishable: false }
  const isBrowser = key === undefined ? form.has('client_secret') : isSame(key, keys.publishableKey)
  if (isBrowser && access === 'browser') return { isPublishable: true }
  throw refusal(key, isBrowser)
}

/** What belongs to one payer opens to a browser with its client_secret only. */
export function checkClientSecret({ isPublishable, form }: { isPublishable: boolean; form: Form }, secret: string | null): void {
  const given = form.text('client_secret')
  if (given === undefined && !isPublishable) return
  if (given !== undefined && secret !== null && isSame(given, secret)) return
  throw invalid('The client_secret provided does not match any associated object.', { param: 'client_secret' })
}

function givenKey({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme)) return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

function refusal(key: string | undefined, isBrowser: boolean): SandboxError {
  if (isBrowser && key !== undefined) {
    const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
    return new SandboxError(403, { type: 'invalid_request_error', code: 'secret_key_required', message })
  }
  const message = key === undefined ? 'You did not provide an API key.' : `Invalid API Key provided: ${key.slice(0, 8)}****`
  return new SandboxError(401, { type: 'invalid_request_error', message })
}

const isSame = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
