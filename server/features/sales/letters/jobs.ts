import { sql } from 'kysely'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { formatPence } from '#domain/format.ts'
import { inLondon } from '#domain/format-time.ts'
import { stepKind } from '#domain/notifications/step-kinds.ts'
import type { StepFacts } from '#domain/notifications/step-words-of.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { stepLetters } from '#domain/notifications/steps-until-sold.ts'
import { notify, type News } from '#server/features/notifications/public.ts'
import { remindOfDeadline } from '#server/features/sales/letters/reminders.ts'
import type { StepNews, StepReader } from '#domain/notifications/step-words.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

/** Whom a step is told to, and the reminders of its deadline. */
export const saleJobs = ({ db }: { db: Db }): Pick<JobHandlers, 'tell_of_step' | 'remind_of_deadline'> => ({
  remind_of_deadline: (reminder) => remindOfDeadline(db, reminder),

  tell_of_step: ({ event_id }) =>
    db.transaction().execute(async (tx) => {
      const event = await findEvent(tx, event_id)
      if (!event) return
      for (const [userId, as] of await peopleOf(tx, event)) {
        const facts: StepFacts = { ...(await newsOf(tx, event, userId)), step: event.step, as }
        await notify(tx, {
          kind: stepKind(event.step, as, event.to_status),
          to: userId,
          source: `step:${event_id}`,
          facts,
          listingId: event.listing_id,
          link: `${pages[as]}/${event.listing_id}`,
        } as News)
      }
    }),
})

const pages: Record<StepReader, string> = {
  seller: '/my-listings',
  buyer: '/activity',
  offered: '/activity',
  bidder: '/activity',
  admin: '/listings',
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

async function findEvent(db: Tx, id: string): Promise<Event | undefined> {
  const { rows } = await sql<Event>`
    select e.step, e.to_status, e.details, e.listing_id, l.seller_id, l.title, l.price_basis, l.current_price, l.status, l.due_at
    from listing_events e
    join listings l on l.id = e.listing_id
    where e.id = ${id}`.execute(db)
  return rows[0]
}

type Person = [id: string | undefined, as: StepReader]

/** Whom a step concerns, each in the first role that fits. Users with a matching saved search are told by that feature. */
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

const admins = async (tx: Tx) => (await tx.selectFrom('users').select('id').where('role', '=', 'admin').execute()).map(({ id }) => id)

/** The price is the reader's own award, else that of the one whom the step concerned. */
async function newsOf(db: Tx, event: Event, readerId: string): Promise<StepNews> {
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
