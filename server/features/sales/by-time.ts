import type pg from 'pg'
import { decide, stepsFrom } from '#domain/sales/listing-machine.ts'
import type { Actor } from '#domain/sales/listing-machine-step.ts'
import { inTransaction, rowsOn } from '#server/db/db.ts'
import { readLives, type Life } from '#server/features/sales/life/facts.ts'
import { keepParties } from '#server/features/sales/life/life-rows.ts'
import { writeSteps } from '#server/features/sales/steps.ts'
import { takenStep, type TakenStep } from '#server/features/sales/life/taken-step.ts'
import { notSetAside } from '#server/features/sales/set-aside.ts'
import { readOnce, type SettingReader } from '#server/features/settings/public.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

type Lock = { text: string; values: unknown[] }

/** Locks listings by a query that answers their ids, and takes with each the first step that nobody has to ask for. Answers the ids. */
export const takeDue = async (client: pg.ClientBase, lock: Lock, read: SettingReader): Promise<string[]> =>
  (await takeSteps(client, lock, read)).ids

async function takeSteps(client: pg.ClientBase, lock: Lock, given: SettingReader): Promise<{ ids: string[]; taken: TakenStep[] }> {
  const read = readOnce(given)
  const { rows } = await client.query<{ id: string }>(lock.text, lock.values)
  // read after the lock: a bid may have moved the end between our look and our lock, and the row that we locked is the newest
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await keepParties(rowsOn(client), ids)
  const lives = await readLives(rowsOn(client), ids, read)
  const taken: TakenStep[] = []
  const unset: Life[] = []
  const unpaid: string[] = []
  for (const life of lives) {
    const step = await stepByItself(life, read)
    if (step) taken.push(step)
    else if (life.row.due_at === null) unset.push(life)
    else if (life.facts.payment_under_way) unpaid.push(life.row.id)
  }
  await writeSteps(client, taken)
  await startClocks(client, unset)
  await waitForPayments(client, unpaid)
  return { ids, taken }
}

/** The provider's word about a sale has come: takes the step that it makes possible. Answers whether there was one. */
export const recheckSale = (pool: pg.Pool, read: SettingReader, listingId: string): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const lock = { text: 'select id from listings where id = $1 for update', values: [listingId] }
    return (await takeSteps(client, lock, read)).taken.length > 0
  })

const LOOK_AGAIN_AFTER = '1 minute'

/** A deadline is over while a payment is open: it is cancelled at the provider, or found to have succeeded; the clock looks again then. */
async function waitForPayments(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await client.query(
    `with waiting as (
       update listings
       set look_again_at = app_now() + interval '${LOOK_AGAIN_AFTER}'
       where id = any($1::uuid[]) and due_at <= app_now() and coalesce(look_again_at, due_at) <= app_now()
       returning id
     )
     insert into jobs (kind, payload)
     select 'end_payment', jsonb_build_object('payment_id', p.id)
     from waiting
     join awards a on a.listing_id = waiting.id and a.status in ('pending_payment', 'paid')
     join sale_payments p on p.award_id = a.id and p.status in ('wanted', 'open', 'processing')`,
    [ids],
  )
  await client.query(`select pg_notify('${JOBS_CHANNEL}', '')`)
}

/** After a user's account was verified or their VAT number found valid: takes the next step of every sale that waited for it. Answers their ids. */
export const recheckGate = (pool: pg.Pool, read: SettingReader, userId: string): Promise<string[]> =>
  inTransaction(pool, (client) =>
    takeDue(client, { text: `${waitingFor('l.seller_id = $1 or buyer.id = $1')} for update of l`, values: [userId] }, read),
  )

/** Listings that wait for an account or a VAT number that is fine by now. */
export const noLongerWaiting = `
  ${waitingFor(`
    ${notSetAside('l')}
    and (
      (l.status = 'AwaitingKYC' and seller.payment_account_verified and buyer.payment_account_verified)
      or (l.status = 'AwaitingVatNumberVerification' and (seller.not_vat_registered or seller.vat_status = 'valid'))
    )`)}
  limit $1
  for update of l skip locked`

function waitingFor(which: string): string {
  return `
    select l.id
    from listings l
    join users seller on seller.id = l.seller_id
    join awards a on a.listing_id = l.id and a.status = 'pending_payment'
    join users buyer on buyer.id = a.bidder_id
    where l.status in ('AwaitingKYC', 'AwaitingVatNumberVerification') and (${which})
    order by l.id`
}

// a word that the provider or the VAT check has given counts before the time that it came in
const takers: readonly Actor[] = ['provider', 'vat_check', 'time']

async function stepByItself(life: Life, read: SettingReader): Promise<TakenStep | undefined> {
  const { row, facts } = life
  for (const actor of takers) {
    for (const { name } of stepsFrom(row.status).filter((step) => step.by.includes(actor))) {
      const decision = decide({ status: row.status, name, actor, facts })
      if ('to' in decision) return takenStep(life, name, decision, { actor, actor_id: null }, read)
    }
  }
  return undefined
}

/** A listing that came into its status by other means than a step, such as its submission, gets its clock here. */
async function startClocks(client: pg.ClientBase, lives: readonly Life[]): Promise<void> {
  const clocks = lives.flatMap(({ row, facts }) => {
    const times = Object.values(facts.due_at).flatMap((at) => at?.getTime() ?? [])
    return times.length > 0 && row.status !== 'Active' ? [{ id: row.id, due_at: new Date(Math.min(...times)) }] : []
  })
  if (clocks.length === 0) return
  await client.query(
    `update listings l
     set due_at = c.due_at
     from jsonb_to_recordset($1::jsonb) as c (id uuid, due_at timestamptz)
     where l.id = c.id`,
    [JSON.stringify(clocks)],
  )
}
