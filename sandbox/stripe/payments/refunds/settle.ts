import type Stripe from 'stripe'
import { totals } from '#sandbox/stripe/payments/balance.ts'
import { send, succeed, undo } from '#sandbox/stripe/payments/refunds/steps.ts'
import type { Kinds } from '#sandbox/stripe/engine/kinds.ts'
import type { Duty, Work } from '#sandbox/stripe/engine/route.ts'

/** Sends the refunds that money has come for, and ends those whose time is up. */
export const settleRefunds: Duty = async (work) => {
  for (const refund of await work.store.find('refund', { status: 'pending', pending_reason: 'insufficient_funds' })) {
    const { available } = await totals(work.store, refund.currency)
    if (available >= refund.amount) await work.emit('refund.updated', await send(work, refund))
  }
  const { rows } = await work.client.query<{ doc: Kinds['hidden.refund'] }>(
    `select doc from stripe_sandbox.objects
     where kind = 'hidden.refund' and account = $1 and (doc ->> 'at')::bigint <= $2
     order by seq`,
    [work.store.account, work.now],
  )
  for (const { doc } of rows) await ends[doc.what](work, await work.store.need('refund', doc.id))
}

const ends: Record<Kinds['hidden.refund']['what'], (work: Work, refund: Stripe.Refund) => Promise<unknown>> = {
  succeed,
  fail: (work, refund) => undo(work, refund, 'failed', 'expired_or_canceled_card'),
  fail_unfunded: (work, refund) => undo(work, refund, 'failed', 'insufficient_funds'),
  // the provider's page says both that it then becomes the buyer's cash and that it is ours to repay: here it is ours
  expire: (work, refund) => undo(work, refund, 'failed', 'unknown'),
}
