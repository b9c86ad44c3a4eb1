import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { rowsOf, rowsOn, type Db, type DbOrTx, type ReadRows } from '#server/db/db.ts'
import { asKept, fromKept, refuse } from '#server/http/errors.ts'

// API.md: the same key and body answer the same for 24 h, the same key with another body is refused. What is kept is what was
// decided, never a secret that the answer carried: that is asked for again.

export type Once<Kept> = {
  /** In the transaction of what was decided. */
  remember: (tx: DbOrTx, kept: Kept) => Promise<void>
  /** The same, where that transaction is a connection's own. */
  rememberOn: (client: pg.ClientBase, kept: Kept) => Promise<void>
}

type Work<Kept, Answer> = {
  work: (once: Once<Kept>) => Promise<Answer>
  /** Answers as it was answered, from what was kept. */
  again: (kept: Kept) => Promise<Answer>
}

type Sender = {
  request: FastifyRequest
  userId: string
  /** What has to be the same. A password is left out of it: a quick hash of one could be tried out. */
  body?: unknown
}

/** Where the answer to a request's key is kept; undefined without a key. */
type Slot = { userId: string; key: string; bodyHash: Buffer }

export async function answerOnce<Kept, Answer>(db: Db, sender: Sender, { work, again }: Work<Kept, Answer>): Promise<Answer> {
  const slot = slotOf(sender)
  const earlier = await keptAnswer(db, slot)
  if (earlier) return again(earlier.answer as Kept)
  const once = onceIn<Kept>(slot)
  try {
    return await work(once)
  } catch (error) {
    const refusal = asKept(error)
    // kept or not, the refusal is what the caller hears: asked again without it, the same is judged anew
    if (slot && refusal) await keep(rowsOf(db), slot, { refusal }).catch(() => {})
    throw error
  }
}

export function onceIn<Kept>(slot: Slot | undefined): Once<Kept> {
  if (!slot) return { remember: async () => {}, rememberOn: async () => {} }
  return {
    remember: (tx, answer) => keep(rowsOf(tx), slot, { answer }),
    rememberOn: (client, answer) => keep(rowsOn(client), slot, { answer }),
  }
}

export function slotOf({ request, userId, body = request.body }: Sender): Slot | undefined {
  const key = keyOf(request)
  if (!key) return undefined
  const [path] = request.url.split('?')
  return { userId, key, bodyHash: hash('sha256', `${request.method} ${path} ${JSON.stringify(body ?? null)}`, 'buffer') }
}

/** What was decided under the key before; throws what was refused. */
export async function keptAnswer(db: DbOrTx, slot: Slot | undefined): Promise<{ answer: unknown } | undefined> {
  const earlier =
    slot &&
    (await db
      .selectFrom('idempotent_answers')
      .selectAll()
      .where('user_id', '=', slot.userId)
      .where('key', '=', slot.key)
      .executeTakeFirst())
  if (!earlier) return undefined
  if (!earlier.body_hash.equals(slot.bodyHash)) throw keyReused()
  const kept = earlier.answer as { refusal?: unknown; answer: unknown }
  if (kept.refusal) throw fromKept(kept.refusal)
  return kept
}

async function keep(ask: ReadRows, { userId, key, bodyHash }: Slot, kept: object): Promise<void> {
  const [row] = await ask(
    `insert into idempotent_answers (user_id, key, body_hash, answer)
     values ($1, $2, $3, $4)
     on conflict do nothing
     returning key`,
    [userId, key, bodyHash, JSON.stringify(kept)],
  )
  // somebody has used the key meanwhile: nothing is decided twice under one
  if (!row) throw refuse('conflict', 'This is being answered already. Please try again.', { code: 'idempotency_key_in_use' })
}

/** For what must not be done twice by a second click. */
export function requireKey(request: Pick<FastifyRequest, 'headers'>): void {
  if (keyOf(request)) return
  const says = 'Send an Idempotency-Key header: a new one for each act.'
  throw refuse('invalid', says, { code: 'idempotency_key_missing', errors: { 'Idempotency-Key': [says] } })
}

const keyOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key !== '' ? key.slice(0, 200) : undefined
}

const keyReused = () => {
  const says = 'This key was used for something else. Send a new one.'
  return refuse('invalid', says, { code: 'idempotency_key_reused', errors: { 'Idempotency-Key': [says] } })
}
