import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { pence, time } from '#contract/fields.ts'

// What an admin grants a merchant, and holds against one: deferred terms and strikes (RULES §5).

const MOST_DAYS = 365
const HIGHEST_LIMIT = 1_000_000_000

const userId = z.object({ id: z.string().max(100) })

const deferredTerms = z.object({ days: z.int().nullable(), limit: z.int().nullable() }).meta({ id: 'DeferredTerms' })

export const strike = z
  .object({
    id: z.string(),
    role: z.enum(['buyer', 'seller']),
    /** The step that it came with, such as `miss_payment`. */
    reason: z.string(),
    listing: z.object({ id: z.string(), title: z.string() }).nullable(),
    at: time,
    lifted_at: time.nullable(),
  })
  .meta({ id: 'Strike' })
export type Strike = z.output<typeof strike>

export const adminTermsEndpoints = endpoints({
  'PUT /api/v1/admin/users/{id}/deferred-terms': {
    summary: 'Lets a user pay later: so many days, up to so much in pence at a time; both null takes it back for later purchases',
    access: 'admin',
    audit: 'grant-deferred-terms',
    params: userId,
    body: z.strictObject({
      days: z.int('Whole days').min(1, 'At least 1').max(MOST_DAYS, `At most ${MOST_DAYS}`).nullable(),
      limit: pence.min(1, 'At least 1p').max(HIGHEST_LIMIT, 'This is more than can be granted').nullable(),
    }),
    replies: { 200: z.object({ data: deferredTerms }) },
  },
  'GET /api/v1/admin/users/{id}/strikes': {
    summary: 'Every strike of a user, newest first',
    access: 'staff',
    audit: 'see-strikes',
    params: userId,
    replies: { 200: z.object({ data: z.array(strike) }) },
  },
  'DELETE /api/v1/admin/strikes/{id}': {
    summary: 'Lifts a strike; a user with too few left may bid or list again',
    access: 'admin',
    audit: 'lift-strike',
    params: userId,
    replies: { 200: z.object({ data: strike }) },
  },
})
