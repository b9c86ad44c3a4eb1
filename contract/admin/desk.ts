import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { time } from '#contract/fields.ts'

export const deskKinds = ['issue', 'document', 'collector', 'report', 'set_aside', 'failed_job', 'unallocated', 'refund', 'payout'] as const
export type DeskKind = (typeof deskKinds)[number]

const deskItem = z
  .object({
    kind: z.enum(deskKinds),
    id: z.string(),
    title: z.string(),
    since: time,
    /** The reason that was given, or the error. */
    reason: z.string().nullable(),
    /** The page where it is decided. */
    link: z.string(),
  })
  .meta({ id: 'DeskItem' })
export type DeskItem = z.output<typeof deskItem>

export const deskEndpoints = endpoints({
  'GET /api/v1/admin/desk': {
    summary: 'What waits for a decision: how many of each kind, and the oldest of them, oldest first',
    access: 'staff',
    audit: 'see-desk',
    replies: {
      200: z.object({
        data: z.array(z.object({ kind: z.enum(deskKinds), count: z.int(), oldest: z.array(deskItem) })),
        meta: z.object({ count: z.int(), server_time: time }),
      }),
    },
  },
})
