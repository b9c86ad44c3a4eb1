import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, pageQuery, time } from '#contract/fields.ts'

const failedJob = z
  .object({
    id: z.string(),
    kind: z.string(),
    /** The ids that it was given, such as `user_id`; never an address or a name. */
    subject: z.record(z.string(), z.string()),
    attempts: z.int(),
    last_error: z.string().nullable(),
    created_at: time,
    failed_at: time,
  })
  .meta({ id: 'FailedJob' })

export const adminJobEndpoints = endpoints({
  'GET /api/v1/admin/jobs': {
    summary: 'Jobs that were given up, newest first',
    access: 'staff',
    audit: 'see-failed-jobs',
    query: pageQuery,
    replies: { 200: z.object({ data: z.array(failedJob), meta: cursorMeta }) },
  },
  'POST /api/v1/admin/jobs/{id}/retry': {
    summary: 'Runs a job again that was given up, with all of its attempts',
    access: 'admin',
    audit: 'retry-job',
    params: z.object({ id: z.string().max(100) }),
    replies: { 200: z.object({ message: z.string() }) },
  },
})
