import type pg from 'pg'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { branchesOf, findStep } from '#domain/sales/listing-machine.ts'
import type { Actor } from '#domain/sales/listing-machine-step.ts'

type Event = { listing_id: string; step: string; from_status: ListingStatus | null; to_status: ListingStatus; actor: Actor }

/** Invariant 21: every event of every listing is a step of RULES §4's table, by an actor whose step it is. Answers those that are not. */
export async function eventsOutsideTheTable(client: pg.ClientBase): Promise<Event[]> {
  const { rows } = await client.query<Event>('select listing_id, step, from_status, to_status, actor from listing_events order by id')
  return rows.filter(({ step, from_status, to_status, actor }) => {
    const known = findStep(from_status, step, actor)
    return !known || !branchesOf(known).some(({ to }) => (to === 'unchanged' ? from_status : to) === to_status)
  })
}
