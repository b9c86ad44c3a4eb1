import type { BillingTask } from '#sandbox/stripe/engine/kinds.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

type Due = { what: BillingTask; of: string; at: number }

export async function plan({ store }: Work, { what, of, at }: Due): Promise<void> {
  await store.put('hidden.agenda', { id: `${what}:${of}`, what, of, at })
}

export const unplan = ({ store }: Work, what: BillingTask, of: string) => store.remove('hidden.agenda', `${what}:${of}`)

/** Takes the next thing that is due off the agenda, the earliest first. */
export async function nextDue({ client, store, now }: Work): Promise<Due | undefined> {
  const { rows } = await client.query<{ doc: Due & { id: string } }>(
    `select doc from stripe_sandbox.objects
     where kind = 'hidden.agenda' and account = $1 and (doc ->> 'at')::bigint <= $2
     order by (doc ->> 'at')::bigint, seq
     limit 1`,
    [store.account, now],
  )
  const due = rows[0]?.doc
  if (due) await store.remove('hidden.agenda', due.id)
  return due
}
