import { sql } from 'kysely'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { formatPence, inLondon } from '#domain/format.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { stepLetters } from '#domain/notifications/steps-until-sold.ts'
import { remindOfDeadline } from '#server/features/sales/letters/reminders.ts'
import type { StepNews, StepReader } from '#domain/notifications/step-words.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

type JobDeps = { db: Db; mailer: Mailer; publicUrl: string }

/** Emails about steps: one job finds the readers of a step, and queues one job for each to send the letter once. */
export function saleJobs({
  db,
  mailer,
  publicUrl,
}: JobDeps): Pick<JobHandlers, 'tell_of_step' | 'send_step_letter' | 'remind_of_deadline'> {
  return {
    remind_of_deadline: (reminder) => remindOfDeadline({ db, mailer, publicUrl }, reminder),

    tell_of_step: ({ event_id }) =>
      db.transaction().execute(async (tx) => {
        const event = await findEvent(tx, event_id)
        const people = event ? await peopleOf(tx, event) : new Map<string, StepReader>()
        if (people.size === 0) return
        const untold = await tx
          .insertInto('told')
          .values([...people.keys()].map((user_id) => ({ event_id, user_id })))
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id')
          .execute()
        for (const { user_id } of untold) await enqueue(tx, 'send_step_letter', { event_id, user_id, as: people.get(user_id) ?? 'bidder' })
      }),

    async send_step_letter({ event_id, user_id, as }) {
      const event = await findEvent(db, event_id)
      const reader = await db.selectFrom('users').select(['email', 'first_name', 'erased_at']).where('id', '=', user_id).executeTakeFirst()
      const words = event && stepLetters[event.step]?.[as]?.(await newsOf(db, event, user_id))
      if (!words || !reader || reader.erased_at) return
      await mailer.send(
        letter(reader, words.subject, {
          says: words.says,
          action: { label: 'Open the listing', url: `${publicUrl}${pages[as]}/${event.listing_id}` },
          ends: endings[as],
        }),
      )
    },
  }
}

const pages: Record<StepReader, string> = {
  seller: '/my-listings',
  buyer: '/activity',
  offered: '/activity',
  bidder: '/activity',
  admin: '/listings',
}

const endings: Record<StepReader, string> = {
  seller: 'You get this because it is your listing.',
  buyer: 'You get this because it is your purchase.',
  offered: 'You get this because you bid on it.',
  bidder: 'You get this because you bid on it.',
  admin: 'You get this as an administrator.',
}

type Event = {
  step: StepName
  to_status: ListingStatus
  details: { tells: string[]; buyer_id?: string; offered_to?: string; reason?: string }
  listing_id: string
  seller_id: string
  title: string
  price_basis: PriceBasis
  current_price: number | null
  status: ListingStatus
  due_at: Date | null
}

async function findEvent(db: Db | Tx, id: string): Promise<Event | undefined> {
  const { rows } = await sql<Event>`
    select e.step, e.to_status, e.details, e.listing_id, l.seller_id, l.title, l.price_basis, l.current_price, l.status, l.due_at
    from listing_events e
    join listings l on l.id = e.listing_id
    where e.id = ${id}`.execute(db)
  return rows[0]
}

type Person = [id: string | undefined, as: StepReader]

/** The readers of a step's letters, each in the first role that fits. Users with a matching saved search are told by that feature. */
async function peopleOf(tx: Tx, { step, details, listing_id, seller_id }: Event): Promise<Map<string, StepReader>> {
  const { tells, buyer_id, offered_to } = details
  const people: Person[] = []
  if (tells.includes('buyer')) people.push([offered_to, 'offered'], [buyer_id, 'buyer'])
  if (tells.includes('seller')) people.push([seller_id, 'seller'])
  if (tells.includes('bidders')) people.push(...(await bidders(tx, listing_id)).map((id): Person => [id, 'bidder']))
  if (tells.includes('admin')) people.push(...(await admins(tx)).map((id): Person => [id, 'admin']))
  const known = new Map<string, StepReader>()
  for (const [id, as] of people) if (id !== undefined && !known.has(id) && stepLetters[step]?.[as]) known.set(id, as)
  return known
}

const bidders = async (tx: Tx, listingId: string) =>
  (await tx.selectFrom('bid_standings').select('bidder_id').where('listing_id', '=', listingId).execute()).map(({ bidder_id }) => bidder_id)

const admins = async (tx: Tx) => (await tx.selectFrom('users').select('id').where('is_admin', '=', true).execute()).map(({ id }) => id)

/** The price is the reader's own award, else that of the one whom the step concerned. */
async function newsOf(db: Db, event: Event, readerId: string): Promise<StepNews> {
  const { details, listing_id, title, price_basis, current_price, to_status, status, due_at } = event
  const awards = await db.selectFrom('awards').select(['bidder_id', 'price']).where('listing_id', '=', listing_id).execute()
  const of = (id: string | undefined) => awards.find(({ bidder_id }) => bidder_id === id)?.price
  const price = of(readerId) ?? of(details.offered_to) ?? of(details.buyer_id) ?? current_price ?? 0
  return {
    title,
    price: `${formatPence(price)}${price_basis === 'tonne' ? ' a tonne' : ''}`,
    until: due_at && status === to_status ? `${day.format(due_at)} at ${time.format(due_at)}` : null,
    reason: details.reason ?? null,
    to: to_status,
  }
}

const day = inLondon({ day: 'numeric', month: 'long' })
const time = inLondon({ hour: '2-digit', minute: '2-digit' })
