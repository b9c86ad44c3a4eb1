import { sql } from 'kysely'
import { whyNotExtend } from '#domain/market/deal-rules.ts'
import { addDuration } from '#domain/working-days.ts'
import { now, readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockEnquiry, type LockedEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { announceEnquiry, tellEnded, tellEndsSoon } from '#server/features/market/records/news.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { enqueue } from '#server/jobs/queue.ts'

/** Jobs for the end of an enquiry, and for the reminder 24 hours before it (half way, if it runs for less than two days). */
export async function planEnd(tx: Tx, enquiryId: string, endsAt: Date): Promise<void> {
  const began = await readNow(tx)
  const runs = endsAt.getTime() - began.getTime()
  const reminded = runs > 2 * DAY_MS ? runs - DAY_MS : runs / 2
  await enqueue(tx, 'end_enquiry', { enquiry_id: enquiryId }, `${Math.ceil(runs)} milliseconds`)
  await enqueue(tx, 'remind_of_enquiry', { enquiry_id: enquiryId, ends_at: endsAt.toISOString() }, `${Math.ceil(reminded)} milliseconds`)
}

const DAY_MS = 86_400_000

export async function extendEnquiry(db: Db, readSetting: ReadSetting, posterId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const enquiry = await lockOwn(tx, posterId, id)
    const at = await readNow(tx)
    const why = whyNotExtend(enquiry, at)
    if (why) throw refuse('conflict', why, { code: 'enquiry_closed' })
    const ends_at = addDuration(at, await readSetting(tx, 'enquiry_lifetime'))
    await tx.updateTable('enquiries').set({ ends_at }).where('id', '=', enquiry.id).execute()
    await planEnd(tx, enquiry.id, ends_at)
  })
}

export async function closeEnquiry(db: Db, posterId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const enquiry = await lockOwn(tx, posterId, id)
    const why = whyNotExtend(enquiry, await readNow(tx))
    if (why) throw refuse('conflict', 'This enquiry is closed already.', { code: 'enquiry_closed' })
    await endLocked(tx, enquiry, 'poster')
  })
}

/** The job at its end. Does nothing if it was extended or closed meanwhile. */
export async function endEnquiry(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const enquiry = await lockEnquiry(tx, id)
    if (enquiry?.status !== 'open' || enquiry.ends_at > (await readNow(tx))) return
    await endLocked(tx, enquiry, 'time')
  })
}

/** The job before its end. `endsAt` is the end that it was planned for: an enquiry that was extended has another. */
export async function remindOfEnquiry(db: Db, id: string, endsAt: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const enquiry = await lockEnquiry(tx, id)
    if (enquiry?.status !== 'open' || enquiry.ends_at.toISOString() !== endsAt || enquiry.ends_at <= (await readNow(tx))) return
    await tellEndsSoon(tx, enquiry)
  })
}

async function endLocked(tx: Tx, enquiry: LockedEnquiry, ended_by: 'poster' | 'time'): Promise<void> {
  await tx.updateTable('enquiries').set({ status: 'ended', ended_by, ended_at: now }).where('id', '=', enquiry.id).execute()
  const { rows } = await sql<{ merchant_id: string }>`
    with closed as (
      update enquiry_offers set status = 'closed', decided_at = app_now()
      where enquiry_id = ${enquiry.id} and status = 'open'
      returning conversation_id
    )
    select distinct c.merchant_id
    from closed
    join enquiry_conversations c on c.id = closed.conversation_id`.execute(tx)
  await tellEnded(tx, enquiry, { ended_by, offerers: rows.map(({ merchant_id }) => merchant_id) })
  await announceEnquiry(tx, enquiry.id)
}

async function lockOwn(tx: Tx, posterId: string, id: string): Promise<LockedEnquiry> {
  const enquiry = await lockEnquiry(tx, id)
  if (enquiry?.poster_id !== posterId) throw notFound()
  return enquiry
}
