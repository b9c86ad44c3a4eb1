import type pg from 'pg'
import { vatNumber } from '#contract/fields.ts'
import type { Role } from '#contract/values/permissions.ts'
import { decide, fieldsOf, findStep, type Decision } from '#domain/sales/listing-machine.ts'
import type { Actor, Effect, Field, ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { writeAudit } from '#server/db/audit.ts'
import { inTransaction, rowsOn, type Db } from '#server/db/db.ts'
import { checkGiven, type CheckContext } from '#server/features/sales/action-checks.ts'
import { readFields, type ActionInput } from '#server/features/sales/action-fields.ts'
import { keepDocuments } from '#server/features/sales/action-documents.ts'
import { lockLife, readLives, type Life } from '#server/features/sales/life/facts.ts'
import { relist } from '#server/features/sales/relist.ts'
import { writeSteps } from '#server/features/sales/steps.ts'
import { takenStep } from '#server/features/sales/life/taken-step.ts'
import { readOnce, type ReadSetting, type SettingReader } from '#server/features/settings/public.ts'
import { keepVatAnswer, vatAsker, type AskVat } from '#server/features/vat/public.ts'
import { accountDeleted, notFound, refuse, refuseRole } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import { refuseStalePassword } from '#server/http/session.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { VatAnswer, VatRegister } from '#server/providers/vat.ts'

export type Action = {
  listingId: string
  action: string
  sent: Readonly<Record<string, unknown>>
  person: { id: string; role: Role | null }
  /** Whether the person gave the password a moment ago: an admin's step that moves money asks for it. */
  isPasswordFresh?: boolean
  /** Keeps which listing to show, with the step: whoever did not hear the answer asks again. */
  remember?: Once<string>['rememberOn']
}

type ActionDeps = { pool: pg.Pool; read: SettingReader; askVat: AskVat }

/** What a step that a person takes needs. The auction pool is for what locks listings: page views cannot use it up. */
export type SaleDeps = { db: Db; readSetting: ReadSetting; auctionPool: pg.Pool; vatRegister: VatRegister }

export const actingWith = (deps: SaleDeps): ActionDeps => ({
  pool: deps.auctionPool,
  read: (key) => deps.readSetting(deps.db, key),
  askVat: vatAsker(deps),
})

/**
 * RULES §4: a step that a person takes. Lock, read the clock and the facts, decide, compare what was sent, write. A second click finds
 * the listing where the first one left it. Answers the listing to show: the new one of a relisting.
 */
export async function takeAction({ pool, read: given, askVat }: ActionDeps, action: Action): Promise<string> {
  const read = readOnce(given)
  const { listingId } = action
  if (!isUuid(listingId)) throw notFound()
  // nobody is asked while a row is locked: what the answer was for is looked at again with the lock
  const answer = action.action === 'correct_vat_number' ? await vatAnswer({ pool, read, askVat }, action) : undefined
  const taken = await inTransaction(pool, async (client) => {
    const life = await lockLife(client, listingId, read)
    const prepared = await prepare(client, life, action, { read, countCodeTry: () => countHandoverTry(client, life) }).catch(refusal)
    // this commits: a wrong code stays counted, and nothing else was written
    if ('refused' in prepared) return prepared
    return { shown: await take(client, prepared, action, { answer, read }) }
  })
  if ('refused' in taken) throw taken.refused
  return taken.shown
}

const refusal = (refused: unknown) => ({ refused })

const NO_LONGER = 'This is no longer open to you.'

const roleOf = ({ row }: Life, person: Action['person']): Actor | undefined => {
  if (row.seller_id === person.id) return 'seller'
  if (row.buyer_id === person.id) return 'buyer'
  return person.role === 'admin' ? 'admin' : undefined
}

async function wasBuyer(client: pg.ClientBase, { listingId, person }: Action): Promise<boolean> {
  const { rowCount } = await client.query('select from awards where listing_id = $1 and bidder_id = $2', [listingId, person.id])
  return rowCount !== 0
}

const MOST_HANDOVER_TRIES = 5
const HOUR_SECONDS = 3_600

/** RULES §4: five wrong codes an hour. Counted with the listing locked, before the code is compared. Answers how many tries are left. */
async function countHandoverTry(client: pg.ClientBase, life: Life | undefined): Promise<number> {
  const awardId = life?.row.award?.id
  await client.query('insert into handover_tries (award_id) values ($1)', [awardId])
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from handover_tries where award_id = $1 and at > app_now() - interval '1 hour'`,
    [awardId],
  )
  const left = MOST_HANDOVER_TRIES - (rows[0]?.count ?? 0)
  if (left >= 0) return left
  const extra = { code: 'handover_code_tries', retryAfterSeconds: HOUR_SECONDS }
  throw refuse('too_many_attempts', 'That was five wrong codes within an hour. Wait an hour, or contact us.', extra)
}

type Prepared = { life: Life; actor: Actor; fields: readonly Field[]; given: ActionInput }

/** Whether this person may take the step now, and what was sent with it. */
async function prepare(client: pg.ClientBase, life: Life | undefined, action: Action, context: CheckContext): Promise<Prepared> {
  if (!life) throw notFound()
  const actor = roleOf(life, action.person)
  if (!actor && action.person.role !== null) throw refuseRole()
  if (!actor) throw (await wasBuyer(client, action)) ? refuse('conflict', NO_LONGER) : notFound()
  if (actor === 'seller' && life.row.is_seller_deleted) throw accountDeleted()
  decided(life, action.action, actor, life.facts)
  const step = findStep(life.row.status, action.action, actor)
  if (!step) throw notFound()
  const fields = fieldsOf(step, life.facts)
  const given = readFields(fields, action.sent)
  await checkGiven(step.checks ?? [], given, life, context)
  return { life, actor, fields, given }
}

async function take(
  client: pg.ClientBase,
  { life, actor, fields, given }: Prepared,
  { action, person, isPasswordFresh = false, remember }: Action,
  { answer, read }: { answer: VatAnswer | undefined; read: SettingReader },
): Promise<string> {
  const settled = action === 'correct_vat_number' ? await settleVat(client, life, given, answer) : {}
  const resolution = given['resolution'] as ListingFacts['resolution'] | undefined
  const decision = decided(life, action, actor, { ...life.facts, ...settled, ...(resolution && { resolution }) })
  if (actor === 'admin' && decision.effects.some((effect) => moneyEffects.has(effect))) refuseStalePassword({ isPasswordFresh })
  const details = Object.fromEntries(Object.entries(given).filter(([name]) => !secret.has(name)))
  await keepDocuments(client, { listingId: life.row.id, giverId: person.id, step: action, fields, given })
  const shown = decision.effects.includes('copy_into_new_listing') ? await relist(client, life, given, read) : life.row.id
  await remember?.(client, shown)
  // written last: it takes the live events' lock, and must wait for nothing while it holds it
  const step = await takenStep(life, action, decision, { actor, actor_id: person.id, details }, read)
  await writeSteps(client, [step], actor === 'admin' ? () => auditStep(client, life, action, person.id, details) : undefined)
  return shown
}

const auditStep = (client: pg.ClientBase, { row }: Life, action: string, adminId: string, { reason, ...details }: ActionInput) =>
  writeAudit(
    rowsOn(client),
    { id: adminId },
    {
      kind: 'act',
      act: `listing-${action.replaceAll('_', '-')}`,
      about: row.seller_id,
      reason: reason as string | undefined,
      details: { listing_id: row.id, ...details },
    },
  )

const moneyEffects: ReadonlySet<string> = new Set(['refund_all', 'refund_amount', 'pay_out'] satisfies Effect[])

// stored in tables of their own, not in the event
const secret = new Set(['vat_number', 'code'])

function decided({ row }: Life, action: string, actor: Actor, facts: ListingFacts): Decision {
  const decision = decide({ status: row.status, name: action, actor, facts })
  if ('to' in decision) return decision
  throw decision.refused === 'not_yours' ? notFound() : refuse('conflict', decision.reason)
}

const givenNumber = ({ vat_number }: ActionInput) => (vat_number === undefined ? null : vatNumber.parse(vat_number))

/** What the register says of the number that was sent, by somebody who may send it. */
async function vatAnswer({ pool, read, askVat }: ActionDeps, action: Action): Promise<VatAnswer | undefined> {
  const { given } = await inTransaction(pool, async (client) => {
    const [life] = await readLives(rowsOn(client), [action.listingId], read)
    return prepare(client, life, action, { read })
  })
  const number = givenNumber(given)
  return number === null ? undefined : askVat(action.person.id, number)
}

/** A corrected VAT number is the seller's from now on, and no longer the one that failed: what GATE sees of it. */
async function settleVat(
  client: pg.ClientBase,
  { row }: Life,
  given: ActionInput,
  answer: VatAnswer | undefined,
): Promise<Partial<ListingFacts>> {
  const number = givenNumber(given)
  await client.query(
    `update users
     set vat_number = $2, not_vat_registered = $3, vat_status = 'unchecked', updated_at = app_now()
     where id = $1`,
    [row.seller_id, number, number === null],
  )
  if (number !== null && answer) await keepVatAnswer(rowsOn(client), { userId: row.seller_id, vatNumber: number, answer })
  return { vat: 'settled' }
}
