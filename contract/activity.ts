import { z } from 'zod'
import { activityGroups, ownGroups } from '#contract/values/activity-groups.ts'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, keysOf, money, pageQuery, time } from '#contract/fields.ts'
import { listing } from '#contract/listings.ts'

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

const trades = z.object({ count: z.int(), value: money })

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
  'GET /api/v1/activity/figures': {
    summary:
      'What the caller sold and bought since the month began in London, by goods value without VAT; sales that fell through are not in it',
    access: 'member',
    replies: { 200: z.object({ data: z.object({ since: time, sold: trades, bought: trades }) }) },
  },
})
