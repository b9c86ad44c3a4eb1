import type { Pool } from 'pg'
import { z } from 'zod'
import { inTransaction } from '#sandbox/stripe/engine/database.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { parseJson } from '#sandbox/stripe/http/form.ts'
import type { Route } from '#sandbox/stripe/engine/route.ts'

const next = z.union([z.boolean(), z.int().min(0)])

const faultsShape = z.strictObject({
  /** Each request takes this much longer. */
  slow_ms: z.int().min(0).max(600_000).optional(),
  /** before: nothing was done. after: it was done, and the answer is lost. kept: nothing was done, and its idempotency key says so again. */
  fail: z.enum(['before', 'after', 'kept']).optional(),
  /** The status of a failure; 'drop' cuts the connection instead. */
  status: z.union([z.int().min(400).max(599), z.literal('drop')]).default(500),
  /** Which 429 it is. Requests wait for each other here, so that a lock times out only when told to. */
  code: z.enum(['rate_limit', 'lock_timeout']).default('rate_limit'),
  /** How many requests it hits; all of them when absent. */
  times: z.int().min(1).optional(),
  /** Only requests whose path contains this. */
  path: z.string().optional(),
  /** true: every event. A number: the next so many. */
  webhooks: z
    .strictObject({
      lose: next.optional(),
      duplicate: next.optional(),
      fail: next.optional(),
      reorder: z.boolean().optional(),
      delay_ms: z.int().min(0).optional(),
    })
    .optional(),
})

type Faults = z.infer<typeof faultsShape>
export type RequestFault = Pick<Faults, 'slow_ms' | 'fail' | 'status' | 'code'>
type WebhookFault = 'lose' | 'duplicate' | 'fail'

export const faultRoutes: Route[] = [
  {
    method: 'POST',
    path: '/sandbox/faults',
    access: 'open',
    handle: async ({ client, rawBody }) => {
      const parsed = faultsShape.safeParse(parseJson(rawBody))
      if (!parsed.success) throw invalid(z.prettifyError(parsed.error))
      await client.query('insert into stripe_sandbox.faults (faults) values ($1) on conflict (id) do update set faults = excluded.faults', [
        parsed.data,
      ])
      return parsed.data
    },
  },
  {
    method: 'GET',
    path: '/sandbox/faults',
    access: 'open',
    handle: async ({ client }) =>
      (await client.query<{ faults: Faults }>('select faults from stripe_sandbox.faults')).rows[0]?.faults ?? {},
  },
  {
    method: 'DELETE',
    path: '/sandbox/faults',
    access: 'open',
    handle: async ({ client }) => {
      await client.query('delete from stripe_sandbox.faults')
      return {}
    },
  },
]

/** The fault that hits this request, if one does. */
export async function takeRequestFault(pool: Pool, path: string): Promise<RequestFault | undefined> {
  return changeFaults(pool, (faults) => {
    const hits = (faults.slow_ms !== undefined || faults.fail !== undefined) && path.includes(faults.path ?? '')
    if (!hits) return undefined
    const { slow_ms, fail, status, code } = faults
    if (faults.times !== undefined && --faults.times === 0) {
      delete faults.slow_ms
      delete faults.fail
      delete faults.times
    }
    return { slow_ms, fail, status, code }
  })
}

type WebhookFaults = { holdMs: number; newestFirst: boolean; take: (fault: WebhookFault) => Promise<boolean> }

/** How long events are held back, whether the newest goes first, and what happens to this one. */
export async function webhookFaults(pool: Pool): Promise<WebhookFaults> {
  const { webhooks } = (await readFaults(pool)) ?? {}
  const { delay_ms = 0, reorder = false } = webhooks ?? {}
  const take = async (fault: WebhookFault) => webhooks !== undefined && takeWebhookFault(pool, fault)
  return { holdMs: delay_ms + (reorder ? GATHER_MS : 0), newestFirst: reorder, take }
}

// reordering needs something to reorder: events wait this long for others
const GATHER_MS = 60

async function takeWebhookFault(pool: Pool, fault: WebhookFault): Promise<boolean> {
  const taken = await changeFaults(pool, ({ webhooks }) => {
    const left = webhooks?.[fault]
    if (webhooks && typeof left === 'number') webhooks[fault] = Math.max(0, left - 1)
    return left === true || (typeof left === 'number' && left > 0)
  })
  return taken ?? false
}

async function readFaults(pool: Pool): Promise<Faults | undefined> {
  return (await pool.query<{ faults: Faults }>('select faults from stripe_sandbox.faults')).rows[0]?.faults
}

async function changeFaults<Result>(pool: Pool, change: (faults: Faults) => Result): Promise<Result | undefined> {
  if (!(await readFaults(pool))) return undefined
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ faults: Faults }>('select faults from stripe_sandbox.faults for update')
    const [row] = rows
    const result = row && change(row.faults)
    if (row) await client.query('update stripe_sandbox.faults set faults = $1', [row.faults])
    return result
  })
}
