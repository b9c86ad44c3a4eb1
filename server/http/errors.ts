import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway, logFault } from '#server/db/outage.ts'
import { traceOf } from '#server/http/viewer.ts'
import { withContact } from '#domain/contact.ts'

// Refuse a rule, throw on a fault. This is the one place of the server where either becomes an HTTP answer.

const statusOf = {
  malformed: 400,
  unauthenticated: 401,
  credentials_wrong: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  csrf_token_mismatch: 419,
  invalid: 422,
  too_many_attempts: 429,
  unavailable: 503,
} as const

type Code = keyof typeof statusOf

/** `data` goes into the answer as it is, such as the minimum of a bid that was too low. */
type Extra = { code?: string; errors?: Record<string, string[]>; retryAfterSeconds?: number; data?: Record<string, unknown> }

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly errors: Record<string, string[]> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly data: Record<string, unknown> | undefined
  constructor(kind: Code, message: string, extra: Extra) {
    super(message)
    this.name = 'Refusal'
    this.status = statusOf[kind]
    this.code = extra.code ?? kind
    this.errors = extra.errors
    this.retryAfterSeconds = extra.retryAfterSeconds
    this.data = extra.data
  }
}

/** `throw refuse('conflict', 'What happened, and what to do next')`; `code` names a kind of its own for clients. */
export const refuse = (kind: Code, message: string, extra: Extra = {}): Refusal => new Refusal(kind, message, extra)

/** A 422 under one field. */
export const refuseField = (field: string, message: string): Refusal => refuse('invalid', message, { errors: { [field]: [message] } })

type StoredRefusal = { kind: Code; message: string; extra: Extra }

/** A refusal that answers the same when it is asked for again under the same key; what was only a bad moment does not. */
export function asKept(error: unknown): StoredRefusal | undefined {
  if (!(error instanceof Refusal)) return undefined
  const kind = (['conflict', 'invalid'] as const).find((name) => statusOf[name] === error.status)
  const { message, code, errors, data } = error
  const isForNow = code === 'idempotency_key_in_use'
  return kind && !isForNow ? { kind, message, extra: { code, ...(errors && { errors }), ...(data && { data }) } } : undefined
}

export const fromKept = (kept: unknown): Refusal => {
  const { kind, message, extra } = kept as StoredRefusal
  return new Refusal(kind, message, extra)
}

export const notFound = (): Refusal => refuse('not_found', 'There is nothing here, or it is not yours to see.')

/** For `support` where only an admin may act; whoever has no role is told that there is nothing. */
export const refuseRole = (): Refusal => refuse('forbidden', 'Only an administrator may do this.', { code: 'role_missing' })

export const accountDeleted = (): Refusal => refuse('forbidden', 'This account is deleted. Restore it first.', { code: 'account_deleted' })

const fastifyCodes: Record<string, { status: number; code: string; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'too_large', message: 'That is more than this call takes.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, code: 'unsupported_media_type', message: 'Send JSON (content type application/json).' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'malformed', message: 'The body is empty: send JSON, or leave the content type out.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'malformed', message: 'The body is not JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, code: 'malformed', message: 'The body is not as long as it says.' },
}

export const errorHandler =
  (supportEmail: string) =>
  (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refusal) {
      if (worthNoting.has(error.status))
        request.log.info({ ...traceOf(request), event: 'refused', status: error.status, code: error.code }, 'refused')
      if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds)
      const { code, errors, data } = error
      const message = withContact(error.message, supportEmail)
      return reply.code(error.status).send({ message, code, ...(errors && { errors }), ...data })
    }
    if (hasZodFastifySchemaValidationErrors(error)) {
      const probed = error.validation.flatMap((issue) => unknownKeys(issue, '') ?? [])
      if (probed.length > 0) request.log.info({ ...traceOf(request), event: 'refused', status: 422, code: 'invalid', probed }, 'refused')
      return reply.code(422).send({ message: 'Some fields need another look.', code: 'invalid', errors: fieldErrors(error.validation) })
    }
    const known = fastifyCodes[error.code]
    if (known) return reply.code(known.status).send({ message: known.message, code: known.code })
    if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
      return reply.code(error.statusCode).send({ message: 'The request could not be read.', code: 'malformed' })
    }
    if (isDatabaseAway(error)) {
      logFault(
        request.server.log,
        { ...traceOf(request), err: withoutRow(error), event: 'database_away' },
        'a request waited for the database in vain',
      )
      return reply
        .code(503)
        .header('retry-after', 2)
        .send({ message: 'We are back in a moment. Please try again.', code: 'unavailable', request_id: request.id })
    }
    request.log.error({ ...traceOf(request), err: withoutRow(error), event: 'fault' }, 'a request failed')
    return reply.code(500).send({
      message: withContact(
        `Something went wrong on our side. Please try again; if it stays, contact us and quote ${request.id}.`,
        supportEmail,
      ),
      code: 'fault',
      // not in refusals: the same question has the same answer, and what is somebody else's looks like what is not there
      request_id: request.id,
    })
  }

/** For the log. PostgreSQL quotes the refused row in `detail` and a parameter in `where`: names, birthdays, password hashes. */
export function withoutRow(error: unknown): unknown {
  if (error instanceof Error) for (const quoted of ['detail', 'where']) Reflect.deleteProperty(error, quoted)
  return error
}

// who may not, who is not who they say, and who tries too often: what somebody looking into a break-in asks first
const worthNoting = new Set([401, 403, 419, 429])

type Issue = { instancePath: string; message?: string; params?: unknown }

/** `/profile/date_of_birth` becomes `profile.date_of_birth`; a key nobody knows is reported under its own name. */
function fieldErrors(issues: readonly Issue[]): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const issue of issues) {
    const path = issue.instancePath.slice(1).replaceAll('/', '.')
    const unknown = unknownKeys(issue, path)
    const message = unknown ? 'This field is not known here.' : (issue.message ?? 'This is not valid.')
    for (const field of unknown ?? [path || 'body']) errors[field] = [...(errors[field] ?? []), message]
  }
  return errors
}

const MOST_UNKNOWN_KEYS = 50

function unknownKeys(issue: Issue, path: string): string[] | undefined {
  const keys = (issue.params as { keys?: unknown } | undefined)?.keys
  return Array.isArray(keys)
    ? keys.slice(0, MOST_UNKNOWN_KEYS).map((key) => (path ? `${path}.${key}` : String(key)).slice(0, 200))
    : undefined
}
