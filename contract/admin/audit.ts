import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, pageQuery, text, time } from '#contract/fields.ts'

export const auditKinds = ['act', 'look'] as const
export const auditRoles = ['support', 'admin', 'command'] as const

const auditEntry = z
  .object({
    id: z.string(),
    at: time,
    /** `id` is null for a command that was run on the server. */
    actor: z.object({ id: z.string().nullable(), name: z.string(), role: z.enum(auditRoles) }),
    kind: z.enum(auditKinds),
    act: z.string(),
    /** The user whom it is about, under today's email. */
    subject: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    /** Holds the hash of the entry before it: a changed, removed or cut entry shows. */
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditItem = z.output<typeof auditEntry>

const SUCH_AS = 'Enter a time such as 2026-11-15T09:00:00Z'
const moment = z.iso.datetime({ offset: true, error: SUCH_AS }).refine((given) => given >= '2000' && given < '2100', SUCH_AS)

export const auditFilter = z.object({
  /** Who did it: a user's id, or the email or command that stands in the entry. */
  'filter[who]': text(200).optional(),
  /** Whom it is about: a user's id or email. */
  'filter[about]': text(200).optional(),
  'filter[what]': text(100).optional(),
  'filter[kind]': z.enum(auditKinds, 'act or look').optional(),
  'filter[from]': moment.optional(),
  /** Not included. */
  'filter[to]': moment.optional(),
})
export type AuditFilter = z.output<typeof auditFilter>

export const auditEndpoints = endpoints({
  'GET /api/v1/admin/audit': {
    summary: 'Every act of the back office and every look at somebody’s data, newest first',
    access: 'staff',
    audit: 'see-audit',
    query: pageQuery.extend(auditFilter.shape),
    replies: { 200: z.object({ data: z.array(auditEntry), meta: cursorMeta }) },
  },
})
