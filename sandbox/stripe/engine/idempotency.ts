import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { SandboxError } from '#sandbox/stripe/http/errors.ts'
import { KEY_LOCKS } from '#sandbox/stripe/engine/schema.ts'

export type Answer = { status: number; body: string; requestId: string }

const KEPT_SECONDS = 24 * 60 * 60

/** Refuses while another request with this key is still being worked on. */
export async function holdKey(client: ClientBase, key: string): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, hashtext($2)) as held', [KEY_LOCKS, key])
  if (rows[0]?.held) return
  throw new SandboxError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key: ${asGiven(key)}. Please try again later.`,
  })
}

/** The answer that this key was given within the last 24 hours, if the request is the same. */
export async function recordedAnswer(client: ClientBase, key: string, request: string, now: number): Promise<Answer | undefined> {
  const { rows } = await client.query<Answer & { request: string }>(
    `select request, status, body, request_id as "requestId" from stripe_sandbox.answers where key = $1 and created_at > to_timestamp($2)`,
    [key, now - KEPT_SECONDS],
  )
  const [recorded] = rows
  if (recorded && recorded.request !== fingerprint(request)) {
    throw new SandboxError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${asGiven(key)}' if you meant to execute a different request.`,
    })
  }
  return recorded
}

export async function recordAnswer(client: ClientBase, key: string, request: string, answer: Answer, now: number): Promise<void> {
  await client.query(
    `insert into stripe_sandbox.answers (key, request, status, body, request_id, created_at) values ($1, $2, $3, $4, $5, to_timestamp($6))
     on conflict (key) do update set request = excluded.request, status = excluded.status, body = excluded.body,
       request_id = excluded.request_id, created_at = excluded.created_at`,
    [key, fingerprint(request), answer.status, answer.body, answer.requestId, now],
  )
}

// keys are kept as account:key
const asGiven = (key: string) => key.slice(key.indexOf(':') + 1)

// the request itself may hold a card number: only its hash is kept
const fingerprint = (request: string) => createHash('sha256').update(request).digest('hex')
