import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf } from '#contract/fields.ts'
import { cursorMeta, listing, pageQuery } from '#contract/listings.ts'

/** Groups of one's own listings. `waiting` gathers from all of them what waits for the owner. */
export const ownGroups = {
  waiting: 'Waiting for you',
  running: 'Running',
  sold: 'Sold',
  unsold: 'Unsold',
  done: 'Done',
} as const
export type OwnGroup = keyof typeof ownGroups

/** Groups of what somebody bid on, won, was offered or watches; `waiting` gathers what waits for the bidder. */
export const activityGroups = {
  waiting: 'Waiting for you',
  bidding: 'Bidding',
  won: 'Won',
  offered: 'Offered',
  watching: 'Watching',
  lost: 'Ended',
  done: 'Done',
} as const
export type ActivityGroup = keyof typeof activityGroups

const grouped = <G extends string>(groups: Record<G, string>) => {
  const names = keysOf<G>(groups)
  return {
    query: pageQuery.extend({ 'filter[status]': z.enum(names).optional() }),
    reply: z.object({
      /** What waits for the caller first, then by the next deadline or end. */
      data: z.array(listing),
      meta: cursorMeta.extend({ counts: z.record(z.enum(names), z.int()) }),
    }),
  }
}

const own = grouped(ownGroups)
const activity = grouped(activityGroups)

export const activityEndpoints = endpoints({
  'GET /api/v1/my-listings': {
    summary: 'The caller’s own listings by group, with counts',
    access: 'member',
    query: own.query,
    replies: { 200: own.reply },
  },
  'GET /api/v1/activity': {
    summary: 'What the caller bid on, won, was offered or watches, by group, with counts',
    access: 'member',
    query: activity.query,
    replies: { 200: activity.reply },
  },
})
