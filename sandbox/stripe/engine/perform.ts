import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'
import { SandboxError, unknownParam } from '#sandbox/stripe/http/errors.ts'
import { inTransaction } from '#sandbox/stripe/engine/database.ts'
import { emitter } from '#sandbox/stripe/engine/events.ts'
import { expand } from '#sandbox/stripe/engine/expand.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'
import { holdKey, recordAnswer, recordedAnswer, type Answer } from '#sandbox/stripe/engine/idempotency.ts'
import type { Api, Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { isRaw, type Raw } from '#sandbox/stripe/http/page.ts'
import { REQUEST_LOCK } from '#sandbox/stripe/engine/schema.ts'
import { openStore } from '#sandbox/stripe/engine/store.ts'

export type SandboxRequest = {
  route: Route
  params: Record<string, string>
  url: URL
  form: Form
  rawBody: string
  /** All parameters in one order: what makes two requests under one idempotency key the same. */
  parameters: string
  isPublishable: boolean
  requestId: string
  account: string
  idempotencyKey: string | undefined
  slowMs: number
  /** The request is begun and fails with this, and its idempotency key remembers that. */
  failure?: SandboxError | undefined
}

export type World = { pool: Pool; publicBase: string; hasWebhook: boolean; api: Api }

/** One request: one transaction, one at a time, and with an idempotency key only once. */
export async function perform(world: World, asked: SandboxRequest): Promise<Raw | (Answer & { isReplay?: true })> {
  const { route, form, requestId } = asked
  const key = route.method === 'POST' && asked.idempotencyKey ? `${asked.account}:${asked.idempotencyKey}` : undefined
  const request = `${route.method} ${asked.url.pathname} ${asked.parameters}`
  return inTransaction(world.pool, async (client) => {
    if (key) await holdKey(client, key)
    if (asked.slowMs > 0) await pause(asked.slowMs)
    const origin = { requestId, idempotencyKey: asked.idempotencyKey ?? null, account: asked.account }
    if (isRead(asked)) return answerRead({ ...(await beginWork(world, client, origin, 'read')), ...asked })
    const work = await beginWork(world, client, origin)
    const recorded = key && (await recordedAnswer(client, key, request, work.now))
    if (recorded) return { ...recorded, isReplay: true }

    await client.query('savepoint begun')
    const answered = await answer({ ...work, ...asked })
    if (isRaw(answered)) return answered
    const result = { ...answered, requestId }
    if (key) await recordAnswer(client, key, request, result, work.now)
    return result
  })

  async function answerRead(context: Context): Promise<Raw | Answer> {
    const answered = await answer(context)
    return isRaw(answered) ? answered : { ...answered, requestId }
  }

  async function answer(context: Context): Promise<Raw | { status: number; body: string }> {
    try {
      if (asked.failure) throw asked.failure
      const done = await route.handle(context)
      if (isRaw(done)) return done
      form.allow('key', 'client_secret')
      const paths = form.texts('expand') ?? []
      if (!context.isPublishable && form.unread().length > 0) throw unknownParam(form.unread())
      return { status: 200, body: json(await expand(context, done, paths, world.api.expanders)) }
    } catch (error) {
      if (!(error instanceof SandboxError) || error.isUnbegun) throw error
      // a declined card is an outcome: the intent that remembers it is kept
      if (error.status !== 402 && !isRead(asked)) await context.client.query('rollback to savepoint begun')
      return { status: error.status, body: json({ error: error.error }) }
    }
  }
}

export const json = (answer: object) => JSON.stringify(answer, null, 2)

type Origin = { requestId: string | null; idempotencyKey: string | null; account: string }

/** Pages for browsers may note that they were opened; calls that only look never write. */
const isRead = ({ route }: SandboxRequest) => route.method === 'GET' && route.path.startsWith('/v1/')

const locks = {
  write: `select pg_advisory_xact_lock(${REQUEST_LOCK})`,
  // those who only look do not wait for each other
  read: `set transaction read only; select pg_advisory_xact_lock_shared(${REQUEST_LOCK})`,
} as const

/** Takes the lock, then reads the clock. */
export async function beginWork(
  { publicBase, hasWebhook, api }: World,
  client: ClientBase,
  origin: Origin,
  lock: keyof typeof locks = 'write',
): Promise<Work> {
  // several statements in one round trip: the clock is read when the lock is held
  const answers: unknown = await client.query(`${locks[lock]}; select floor(extract(epoch from public.app_now())) as now`)
  const clock = (answers as { rows: { now: string }[] }[]).at(-1)
  const now = Number(clock?.rows[0]?.now)
  const store = openStore(client, now, origin.account)
  const emit = emitter({ store, client }, { ...origin, hasWebhook })
  const work: Work = {
    store,
    client,
    now,
    publicBase,
    emit,
    follow: async (intent) => {
      for (const follower of api.followers) await follower(work, intent)
    },
  }
  return work
}
