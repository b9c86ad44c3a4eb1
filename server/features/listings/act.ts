import type pg from 'pg'
import { vatNumber } from '#contract/fields.ts'
import { decide, fieldsOf, findStep, type Decision } from '#domain/listing-machine.ts'
import { isLive } from '#domain/listing-machine-live.ts'
import type { Actor, ListingFacts } from '#domain/listing-machine-step.ts'
import { inTransaction } from '#server/db.ts'
import { checkGiven } from '#server/features/listings/action-checks.ts'
import { readFields, type Given } from '#server/features/listings/action-fields.ts'
import { keepDocuments } from '#server/features/listings/action-papers.ts'
import { lockLife, readOnce, type Life, type Read } from '#server/features/listings/facts.ts'
import { relist } from '#server/features/listings/relist.ts'
import { takenStep, writeSteps } from '#server/features/listings/steps.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import { isUuid } from '#server/http/uuid.ts'

export type Action = {
  listingId: string
  action: string
  sent: Readonly<Record<string, unknown>>
  person: { id: string; is_admin: boolean }
  /** Keeps which listing to show, with the step: whoever did not hear the answer asks again. */
  remember?: Once<string>['rememberOn']
}

/**
 * RULES §4: a step that a person takes. Lock, read the clock and the facts, decide, compare what was sent, write. A second click finds
 * the listing where the first one left it. Answers the listing to show: the new one of a relisting.
 */
export async function takeAction({ pool, read: given }: { pool: pg.Pool; read: Read }, action: Action): Promise<string> {
  const read = readOnce(given)
  const { listingId, person } = action
  if (!isUuid(listingId)) throw notFound()
  return inTransaction(pool, async (client) => {
    const life = await lockLife(client, listingId, read)
    if (!life) throw notFound()
    const actor = roleOf(life, person)
    if (!actor) throw (await wasBuyer(client, action)) ? refuse('conflict', NO_LONGER) : notFound()
    return take(client, life, { ...action, actor }, read)
  })
}

const NO_LONGER = 'This is no longer open to you.'
const NOT_HERE = 'This is not possible where the listing stands now.'

const roleOf = ({ row }: Life, person: Action['person']): Actor | undefined => {
  if (row.seller_id === person.id) return 'seller'
  if (row.buyer_id === person.id) return 'buyer'
  return person.is_admin ? 'admin' : undefined
}

async function wasBuyer(client: pg.ClientBase, { listingId, person }: Action): Promise<boolean> {
  const { rowCount } = await client.query('select from awards where listing_id = $1 and bidder_id = $2', [listingId, person.id])
  return rowCount !== 0
}

async function take(
  client: pg.ClientBase,
  life: Life,
  { action, actor, sent, person, remember }: Action & { actor: Actor },
  read: Read,
): Promise<string> {
  decided(life, action, actor, life.facts)
  const step = findStep(life.row.status, action, actor)
  if (!step) throw notFound()
  const fields = fieldsOf(step, life.facts)
  const given = readFields(fields, sent)
  await checkGiven(step.checks ?? [], given, life, read)

  const decision = decided(life, action, actor, { ...life.facts, ...(await settle(client, life, action, given)) })
  const details = Object.fromEntries(Object.entries(given).filter(([name]) => !secret.has(name)))
  await keepDocuments(client, { listingId: life.row.id, giverId: person.id, step: action, fields, given })
  const shown = decision.effects.includes('copy_into_new_listing') ? await relist(client, life, given, read) : life.row.id
  await remember?.(client, shown)
  // the last to be written: it holds the turn of those who tell of what happened, and waits for nothing more
  await writeSteps(client, [await takenStep(life, action, decision, { actor, actor_id: person.id, details }, read)])
  return shown
}

// kept where it belongs, not in the event
const secret = new Set(['vat_number', 'code'])

function decided({ row }: Life, action: string, actor: Actor, facts: ListingFacts): Decision {
  const decision = decide({ status: row.status, name: action, actor, facts })
  if ('to' in decision && isLive(action)) return decision
  if ('refused' in decision && decision.refused === 'not_yours') throw notFound()
  throw refuse('conflict', 'refused' in decision ? decision.reason : NOT_HERE)
}

/** A corrected VAT number is the seller's from now on, and no longer the one that failed: what GATE sees of it. */
async function settle(client: pg.ClientBase, { row }: Life, action: string, given: Given): Promise<Partial<ListingFacts>> {
  if (action !== 'correct_vat_number') return {}
  const isRegistered = given['not_vat_registered'] !== true
  const number = isRegistered ? vatNumber.parse(given['vat_number']) : null
  const { rowCount } = await client.query(
    `update users
     set vat_number = $2, not_vat_registered = $3, vat_status = 'unchecked', updated_at = app_now()
     where id = $1 and (vat_number is distinct from $2 or vat_status <> 'failed')`,
    [row.seller_id, number, !isRegistered],
  )
  if (rowCount === 0) throw refuseField('vat_number', 'This is the number that failed its check. Correct it.')
  return { vat_failed: false }
}
