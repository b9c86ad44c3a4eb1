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

export async function answerOnce<Kept, Answer>(
  db: Db,
  { request, userId }: { request: FastifyRequest; userId: string },
  { work, again }: Work<Kept, Answer>,
): Promise<Answer> {
  const key = keyOf(request)
  if (!key) return work({ remember: async () => {}, rememberOn: async () => {} })
  const [path] = request.url.split('?')
  const bodyHash = hash('sha256', `${request.method} ${path} ${JSON.stringify(request.body ?? null)}`, 'buffer')
  const earlier = await db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (earlier) {
    if (!earlier.body_hash.equals(bodyHash)) throw keyReused()
    const kept = earlier.answer as { refusal?: unknown; answer: Kept }
    if (kept.refusal) throw fromKept(kept.refusal)
    return again(kept.answer)
  }
  const keep = async (ask: ReadRows, kept: object) => {
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
  try {
    return await work({
      remember: (tx, answer) => keep(rowsOf(tx), { answer }),
      rememberOn: (client, answer) => keep(rowsOn(client), { answer }),
    })
  } catch (error) {
    const refusal = asKept(error)
    // kept or not, the refusal is what the caller hears: asked again without it, the same is judged anew
    if (refusal) await keep(rowsOf(db), { refusal }).catch(() => {})
    throw error
  }
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key !== '' ? key.slice(0, 200) : undefined
}

const keyReused = () => {
  const says = 'This key was used for something else. Send a new one.'
  return refuse('invalid', says, { code: 'idempotency_key_reused', errors: { 'Idempotency-Key': [says] } })
}
