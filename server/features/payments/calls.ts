import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Selectable } from 'kysely'
import type { Stripe } from 'stripe'
import type { ProviderCalls } from '#database/schema.gen.ts'
import type { Db, DbOrTx, Tx } from '#server/db/db.ts'
import { LEASE_SECONDS, whileRenewing } from '#server/db/lease.ts'
import { lockUser } from '#server/db/user.ts'
import { refuse } from '#server/http/errors.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { errorOf, outcomeOf, providerIsAway, type Payment, type ProviderError } from '#server/providers/payment.ts'

// How objects are created and money is moved at the provider. The intent is committed first, with its key; then the call is made with that
// key; then the result is written in the transaction of the state that it changes. What is unsure stays pending: whoever comes
// next, a user or the job, makes the very same call again, and the provider answers it as it did the first time.

export type ProviderCall = Selectable<ProviderCalls>

export type CallKind = {
  send: (stripe: Stripe, params: never, options: Stripe.RequestOptions) => Promise<{ id: string }>
  /** In the transaction that marks the call done, with its user locked. */
  settle: (tx: Tx, call: ProviderCall, result: never, readNo: string) => Promise<void>
  /** Gives back what was reserved with the intent. */
  giveBack?: (tx: Tx, call: ProviderCall) => Promise<void>
  /** Looks for what a call made whose key the provider no longer knows. */
  find?: (stripe: Stripe, call: ProviderCall) => Promise<{ id: string } | undefined>
}

/** A kind of call: what it sends and what its answer changes agree on the types. */
/* oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it is what the kinds are told apart by */
export const callKind = <Params, Result extends { id: string }>(kind: {
  send: (stripe: Stripe, params: Params, options: Stripe.RequestOptions) => Promise<Result>
  settle: (tx: Tx, call: ProviderCall, result: Result, readNo: string) => Promise<void>
  giveBack?: (tx: Tx, call: ProviderCall) => Promise<void>
  find?: (stripe: Stripe, call: ProviderCall) => Promise<Result | undefined>
}): CallKind => kind

export type CallKinds = Readonly<Record<string, CallKind>>

export type Intent = { kind: string; userId: string | null; key?: string; subject?: object; params: object }

// Later than most calls are answered, so that the job rarely finds one that is still being made.
const LOOK_AGAIN_AFTER = '5 seconds'

/** Writes the intent down in the caller's transaction, together with the job that sees it through whatever happens to this process. */
export async function reserveCall(tx: Tx, { kind, userId, key, subject = {}, params }: Intent): Promise<string> {
  const { id } = await tx
    .insertInto('provider_calls')
    .values({
      kind,
      user_id: userId,
      idempotency_key: key ?? sql<string>`'call:' || gen_random_uuid()`,
      subject: JSON.stringify(subject),
      params: JSON.stringify(params),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, 'settle_provider_call', { call_id: id }, LOOK_AGAIN_AFTER)
  return id
}

/** The call of these kinds that a user is still waiting for, oldest first. */
export const openCallOf = (db: DbOrTx, userId: string, kinds: readonly string[]) =>
  db
    .selectFrom('provider_calls')
    .select(['id', 'kind'])
    .where('user_id', '=', userId)
    .where('kind', 'in', kinds)
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()

/** One key per thing that exists once; a call that was refused has used its key up, and the next try gets another. */
export async function keyFor(tx: Tx, base: string): Promise<string> {
  const { refused } = await tx
    .selectFrom('provider_calls')
    .select((read) => read.fn.countAll<string>().as('refused'))
    .where((where) => where.or([where('idempotency_key', '=', base), where('idempotency_key', 'like', `${base}:%`)]))
    .where('status', '=', 'refused')
    .executeTakeFirstOrThrow()
  return Number(refused) === 0 ? base : `${base}:${refused}`
}

export const nextRead = async (db: DbOrTx): Promise<string> => {
  const { rows } = await sql<{ no: string }>`select nextval('provider_reads') as no`.execute(db)
  return rows[0]?.no ?? '0'
}

export type CallOutcome = { outcome: 'done'; providerId: string } | { outcome: 'refused'; error: ProviderError } | { outcome: 'unsure' }

export type Provider = {
  readonly stripe: Stripe
  payment: Payment
  /** Makes a call whose intent is committed, or waits for whoever is making it. */
  make(callId: string): Promise<CallOutcome>
  /** The same for somebody who waits: a refusal or a provider that is away ends the request. */
  finish(callId: string): Promise<string>
}

export function providerOf({ db, payment, kinds }: { db: Db; payment: Payment; kinds: CallKinds }): Provider {
  const kindOf = (call: ProviderCall): CallKind => {
    const kind = kinds[call.kind]
    if (!kind) throw new Error(`there is no call '${call.kind}'`)
    return kind
  }

  /** A call that another process has is waited for; one whose process has died is made again when its lease runs out. */
  async function make(callId: string): Promise<CallOutcome> {
    const givenUpAt = performance.now() + WAIT_MS
    for (;;) {
      const call = await lease(db, callId)
      if (call)
        return whileRenewing(
          () => renew(db, call),
          () => send(call),
        )
      const other = await readCall(db, callId)
      const isUnderWay = other.status === 'pending' && other.leased_until !== null
      if (!isUnderWay || performance.now() > givenUpAt) return madeOf(other)
      await pause(LOOK_EVERY_MS)
    }
  }

  async function send(call: LeasedCall): Promise<CallOutcome> {
    const readNo = await nextRead(db)
    const kind = kindOf(call)
    let result: { id: string } | undefined
    try {
      result = call.is_forgotten
        ? await kind.find?.(payment.stripe, call)
        : await kind.send(payment.stripe, call.params as never, { idempotencyKey: call.idempotency_key })
    } catch (error) {
      if (outcomeOf(error) === 'refused') return settle(call, { outcome: 'refused', error: errorOf(error) })
      await db
        .updateTable('provider_calls')
        .set({ leased_until: null, error: JSON.stringify(errorOf(error)) })
        .where('id', '=', call.id)
        .where('attempts', '=', call.attempts)
        .execute()
      return { outcome: 'unsure' }
    }
    if (!result) return settle(call, { outcome: 'refused', error: neverArrived })
    return settle(call, { outcome: 'done', providerId: result.id }, (tx) => kind.settle(tx, call, result as never, readNo))
  }

  /** One transaction: the call's end and what it means. Who comes second finds it settled. */
  async function settle(
    call: ProviderCall,
    made: Exclude<CallOutcome, { outcome: 'unsure' }>,
    write?: (tx: Tx) => Promise<void>,
  ): Promise<CallOutcome> {
    return db.transaction().execute(async (tx) => {
      // users first, as everywhere: their other changes wait for the same row
      const user = call.user_id === null ? undefined : await lockUser(tx, call.user_id)
      const open = await tx
        .updateTable('provider_calls')
        .set({
          status: made.outcome,
          settled_at: sql`app_now()`,
          leased_until: null,
          provider_id: made.outcome === 'done' ? made.providerId : null,
          error: made.outcome === 'refused' ? JSON.stringify(made.error) : null,
          // it was still open when its user was erased
          ...(user?.erased_at && { params: JSON.stringify({}) }),
        })
        .where('id', '=', call.id)
        .where('status', '=', 'pending')
        .returning('id')
        .executeTakeFirst()
      if (!open) return madeOf(await readCall(tx, call.id))
      if (made.outcome === 'refused') await kindOf(call).giveBack?.(tx, call)
      await write?.(tx)
      return made
    })
  }

  return {
    get stripe() {
      return payment.stripe
    },
    payment,
    make,
    async finish(callId) {
      const made = await make(callId)
      if (made.outcome === 'done') return made.providerId
      if (made.outcome === 'unsure') throw providerIsAway()
      throw refuse('conflict', made.error.message, { code: made.error.decline_code ?? made.error.code ?? 'payment_refused' })
    },
  }
}

const neverArrived: ProviderError = {
  type: 'never_arrived',
  code: null,
  decline_code: null,
  message: 'The payment provider has never heard of this.',
  status: null,
}

// the provider keeps keys for a day at least: after that the same key might do it a second time
const KEYS_KEPT_FOR = '23 hours'

type LeasedCall = ProviderCall & { is_forgotten: boolean }

async function lease(db: Db, callId: string): Promise<LeasedCall | undefined> {
  const { rows } = await sql<LeasedCall>`
    update provider_calls
    set leased_until = app_now() + make_interval(secs => ${LEASE_SECONDS}),
        attempts = attempts + 1,
        called_at = coalesce(called_at, app_now())
    where id = ${callId}
      and status = 'pending'
      and coalesce(leased_until, '-infinity') <= app_now()
    returning *, created_at < app_now() - ${KEYS_KEPT_FOR}::interval as is_forgotten`.execute(db)
  return rows[0]
}

const renew = (db: Db, { id, attempts }: LeasedCall) =>
  sql`
    update provider_calls
    set leased_until = app_now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and attempts = ${attempts} and status = 'pending' and leased_until is not null`.execute(db)

// How long to wait for a call that another request is making: as long as the browser waits for an answer (SPEC §9).
const WAIT_MS = 5_000
const LOOK_EVERY_MS = 50

const readCall = (db: DbOrTx, id: string): Promise<ProviderCall> =>
  db.selectFrom('provider_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

function madeOf(call: ProviderCall): CallOutcome {
  if (call.status === 'done') return { outcome: 'done', providerId: call.provider_id ?? '' }
  return call.status === 'refused' ? { outcome: 'refused', error: call.error as ProviderError } : { outcome: 'unsure' }
}
