import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { parseJson } from '#sandbox/stripe/http/form.ts'
import { page, type Raw, redirect } from '#sandbox/stripe/http/page.ts'
import { comeBack, giveDetails, isToBank, succeed, undo } from '#sandbox/stripe/payments/refunds/steps.ts'
import type { Context, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'

/** What the provider's email about a bank refund leads to, and for tests a call `{ outcome: 'details' | 'return' | … }`. */
export const refundPageRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/refunds/:id', access: 'open', handle: showRefund },
  { method: 'POST', path: '/sandbox/refunds/:id', access: 'open', handle: decide },
]

type Outcome = { from: string[]; isForBanks?: true; act: (work: Work, refund: Stripe.Refund) => Promise<Stripe.Refund> }

const outcomes: Record<string, Outcome> = {
  details: { from: ['requires_action'], isForBanks: true, act: giveDetails },
  succeed: { from: ['pending'], act: succeed },
  return: { from: ['pending', 'succeeded'], isForBanks: true, act: comeBack },
  fail: { from: ['pending', 'requires_action', 'succeeded'], act: (work, refund) => undo(work, refund, 'failed', 'unknown') },
}

async function showRefund({ store, params }: Context): Promise<Raw> {
  const refund = await store.get('refund', params['id'] ?? '')
  if (!refund) return page('Nothing here', '<p>This page does not exist.</p>', 404)
  const title = `Your refund of ${formatPence(refund.amount)}`
  if (refund.status === 'requires_action') {
    return page(
      title,
      `<p>Tell us the bank account that the money goes to.</p>
      <form method="post"><button name="outcome" value="details">Give a test account</button></form>`,
    )
  }
  const words: Record<string, string> = {
    pending: 'Your refund is on its way.',
    succeeded: 'Your refund has been sent.',
    failed: 'Your refund could not be sent. Ask the seller how you will be repaid.',
    canceled: 'Your refund was cancelled.',
  }
  return page(title, `<p>${words[refund.status ?? ''] ?? ''}</p>`)
}

async function decide(context: Context): Promise<Raw | Stripe.Refund> {
  const refund = await context.store.need('refund', context.params['id'] ?? '')
  const chosen = context.form.text('outcome')
  const { outcome }: { outcome?: unknown } = chosen ? { outcome: chosen } : parseJson(context.rawBody)
  const found = outcomes[String(outcome)]
  if (!found) throw invalid(`Say { outcome: '${Object.keys(outcomes).join("' | '")}' }.`, { param: 'outcome' })
  if (found.isForBanks && !isToBank(refund)) throw invalid('This refund goes to a card.')
  const isUntaken = refund.charge !== null && refund.balance_transaction === null
  if (isUntaken && refund.pending_reason === undefined) throw invalid('This amount was authorised and never taken.')
  if (isUntaken && outcome !== 'fail') throw invalid('This refund waits for available money.')
  if (!found.from.includes(refund.status ?? '')) throw invalid(`This refund is ${refund.status}.`)
  const done = await found.act(context, refund)
  return chosen ? redirect(context.url.pathname) : done
}
