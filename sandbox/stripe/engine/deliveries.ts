import type { Pool } from 'pg'
import { Stripe } from 'stripe'
import { webhookFaults } from '#sandbox/stripe/engine/faults.ts'

export type Webhook = {
  url: string
  secret: string
  /** The wait before the first retry, which doubles with each; tests that wait for retries make it short. */
  firstRetryMs?: number
}

// a process that died while it posted leaves its event to others after this
const LEASE_SECONDS = 15
const TIMEOUT_MS = 10_000
// Stripe retries for three days with hours between; here it is a quarter of a second at first and a minute at most
const FIRST_RETRY_MS = 250
const LONGEST_WAIT_MS = 60_000
const MOST_ATTEMPTS = 500

// newest first means among several: events gather until none has come for a while, but two seconds at most
const QUIET = `(
  select max(due_at) <= clock_timestamp() - make_interval(secs => $1::double precision / 1000)
    or min(due_at) <= clock_timestamp() - make_interval(secs => 2 + $1::double precision / 1000)
  from stripe_sandbox.deliveries where outcome is null and attempts = 0) is not false`

/**
 * Posts the next event that is due, in order unless /sandbox/faults says otherwise: the provider promises none.
 * The one webhook stands for both endpoints that the provider needs, ours and that with connect: true. False when there was none.
 */
export async function deliverNext(pool: Pool, webhook: Webhook): Promise<boolean> {
  const { holdMs, newestFirst, take } = await webhookFaults(pool)
  const { rows } = await pool.query<{ event_id: string; attempts: number; event: object }>(
    `update stripe_sandbox.deliveries as d
     set attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     from stripe_sandbox.objects as o
     where o.kind = 'event' and o.id = d.event_id and d.event_id = (
       select event_id from stripe_sandbox.deliveries
       where outcome is null and due_at <= clock_timestamp() - make_interval(secs => $1::double precision / 1000)
         ${newestFirst ? `and ${QUIET}` : ''}
       order by seq ${newestFirst ? 'desc' : 'asc'} limit 1 for update skip locked)
     returning d.event_id, d.attempts, o.doc as event`,
    [holdMs],
  )
  const [next] = rows
  if (!next) return false
  if (next.attempts === 1 && (await take('lose'))) {
    await finish(pool, next.event_id, 'lost')
    return true
  }
  const fails = await take('fail')
  const arrived = !fails && (await post(webhook, next.event))
  if (arrived && (await take('duplicate'))) await post(webhook, next.event)
  if (arrived) await finish(pool, next.event_id, 'delivered')
  else if (next.attempts >= MOST_ATTEMPTS) await finish(pool, next.event_id, 'given up')
  else await postpone(pool, next.event_id, Math.min((webhook.firstRetryMs ?? FIRST_RETRY_MS) * 2 ** (next.attempts - 1), LONGEST_WAIT_MS))
  return true
}

export async function openDeliveries(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ open: number }>('select count(*)::int as open from stripe_sandbox.deliveries where outcome is null')
  return rows[0]?.open ?? 0
}

async function post({ url, secret }: Webhook, event: object): Promise<boolean> {
  const payload = JSON.stringify(event, null, 2)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, 'user-agent': 'Stripe/1.0 (sandbox)' }
  try {
    const answer = await fetch(url, { method: 'POST', body: payload, headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false // not there, too slow or cut off: it is tried again later
  }
}

async function finish(pool: Pool, id: string, outcome: 'delivered' | 'lost' | 'given up'): Promise<void> {
  await pool.query('update stripe_sandbox.deliveries set outcome = $2 where event_id = $1', [id, outcome])
}

async function postpone(pool: Pool, id: string, waitMs: number): Promise<void> {
  const sql =
    'update stripe_sandbox.deliveries set due_at = clock_timestamp() + make_interval(secs => $2::double precision / 1000) where event_id = $1'
  await pool.query(sql, [id, waitMs])
}
