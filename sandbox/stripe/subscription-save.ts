import type Stripe from 'stripe'
import { planSubscription } from '#sandbox/stripe/agenda.ts'
import type { Work } from '#sandbox/stripe/route.ts'

type Change = Partial<Stripe.Subscription>

/** Writes a change, tells it with what it was before, and plans what follows. Nothing happens when nothing changed. */
export async function saveSubscription(work: Work, id: string, change: Change): Promise<Stripe.Subscription> {
  const old = await work.store.need('subscription', id)
  const names = (Object.keys(change) as (keyof Change)[]).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(change[name]))
  if (names.length === 0) return old
  const changed = await work.store.put('subscription', { ...old, ...change })
  await planSubscription(work, changed)
  const previous = Object.fromEntries(names.map((name) => [name, old[name]]))
  await work.emit('customer.subscription.updated', changed, { previous })
  return changed
}
