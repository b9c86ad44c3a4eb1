import type Stripe from 'stripe'
import { book, totals } from '#sandbox/stripe/payments/balance.ts'
import { moveCash } from '#sandbox/stripe/payments/cash/cash.ts'
import { behaviourOf } from '#sandbox/stripe/payments/payment-method-make.ts'
import { countRefund } from '#sandbox/stripe/payments/refunds/record.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'

// card: (pending for want of funds) → succeeded, or pending → succeeded; it may fail afterwards
// bank: (pending for want of funds) → requires_action → pending → succeeded, failed or canceled; a bank may send it back

type Refund = Stripe.Refund

const DAY = 24 * 60 * 60
export const DAYS_TO_GIVE_DETAILS = 45
// the provider says some time, and up to 30 days for a failure
const DAYS_ON_THE_WAY = 1
const DAYS_UNTIL_FUNDED = 30

export const isToBank = ({ destination_details }: Refund) => destination_details?.type === 'gb_bank_transfer'

/** Takes the money and sends it, or waits for money that is not there yet. Cash of a customer is not our money. */
export async function send(work: Work, refund: Refund): Promise<Refund> {
  if (!refund.charge) return sendToBank(work, refund)
  const { available } = await totals(work.store, refund.currency)
  if (available < refund.amount) {
    await plan(work, refund, 'fail_unfunded', DAYS_UNTIL_FUNDED)
    return work.store.put('refund', { ...refund, status: 'pending', pending_reason: 'insufficient_funds' })
  }
  const { description } = await work.store.need('charge', idOf(refund.charge))
  const taken = await book(work, {
    type: isToBank(refund) ? 'payment_refund' : 'refund',
    reporting_category: 'refund',
    source: refund.id,
    amount: -refund.amount,
    currency: refund.currency,
    description: `REFUND FOR CHARGE${description ? ` (${description})` : ''}`,
  })
  const funded = { ...refund, balance_transaction: taken.id }
  return isToBank(refund) ? sendToBank(work, funded) : sendToCard(work, funded)
}

async function sendToCard(work: Work, refund: Refund): Promise<Refund> {
  const method = await work.store.get('payment_method', idOf(refund.payment_method))
  const behaviour = method && (await behaviourOf(work, method)).refund
  if (behaviour === 'succeeds_later') return setOff(work, refund)
  if (behaviour === 'fails_later') await plan(work, refund, 'fail', DAYS_ON_THE_WAY)
  else await work.store.remove('hidden.refund', refund.id)
  return work.store.put('refund', { ...withoutReason(refund), status: 'succeeded' })
}

/** To the account that is known, or else the buyer is asked for it. */
async function sendToBank(work: Work, refund: Refund): Promise<Refund> {
  const cash = await work.store.get('hidden.cash_balance', idOf(refund.customer))
  return cash?.is_payer_known ? setOff(work, refund) : askForAccount(work, refund)
}

async function askForAccount(work: Work, refund: Refund): Promise<Refund> {
  await plan(work, refund, 'expire', DAYS_TO_GIVE_DETAILS)
  const email_sent = { email_sent_at: work.now, email_sent_to: refund.instructions_email ?? '' }
  const display_details = { email_sent, expires_at: work.now + DAYS_TO_GIVE_DETAILS * DAY }
  return work.store.put('refund', {
    ...withoutReason(refund),
    status: 'requires_action',
    next_action: { type: 'display_details', display_details },
  })
}

async function setOff(work: Work, refund: Refund): Promise<Refund> {
  await plan(work, refund, 'succeed', DAYS_ON_THE_WAY)
  return work.store.put('refund', { ...withoutReason(refund), status: 'pending', pending_reason: 'processing' })
}

/** The buyer names a bank account, which is known from then on. */
export async function giveDetails(work: Work, refund: Refund): Promise<Refund> {
  const cash = await work.store.get('hidden.cash_balance', idOf(refund.customer))
  if (cash) await work.store.put('hidden.cash_balance', { ...cash, is_payer_known: true })
  return tell(work, await setOff(work, refund))
}

/** The bank sends it back: the buyer is asked for another account. */
export async function comeBack(work: Work, refund: Refund): Promise<Refund> {
  const cash = await work.store.get('hidden.cash_balance', idOf(refund.customer))
  if (cash) await work.store.put('hidden.cash_balance', { ...cash, is_payer_known: false })
  return tell(work, await askForAccount(work, refund))
}

export async function succeed(work: Work, refund: Refund): Promise<Refund> {
  await work.store.remove('hidden.refund', refund.id)
  return tell(work, await work.store.put('refund', { ...withoutReason(refund), status: 'succeeded' }))
}

/** It does not arrive: what was taken comes back to where it was taken from. */
export async function undo(work: Work, refund: Refund, status: 'failed' | 'canceled', failure_reason: string): Promise<Refund> {
  await work.store.remove('hidden.refund', refund.id)
  const back = await takeBack(work, refund)
  const ended = await work.store.put('refund', {
    ...withoutReason(refund),
    status,
    failure_reason,
    ...(back && { failure_balance_transaction: back.id }),
  })
  if (refund.charge) await countRefund(work, await work.store.need('charge', idOf(refund.charge)), -refund.amount)
  await tell(work, ended)
  if (status === 'failed') await work.emit('refund.failed', ended)
  return ended
}

async function takeBack(work: Work, refund: Refund): Promise<Stripe.BalanceTransaction | undefined> {
  const { amount, currency } = refund
  if (!refund.charge) await moveCash(work, idOf(refund.customer), { type: 'return_canceled', net_amount: amount, currency })
  if (!refund.balance_transaction) return undefined
  const type = isToBank(refund) ? 'payment_failure_refund' : 'refund_failure'
  return book(work, { type, reporting_category: 'refund_failure', source: refund.id, amount, currency, description: 'REFUND FAILURE' })
}

/** Without what it waited for. */
function withoutReason(refund: Refund): Refund {
  const copy = { ...refund }
  delete copy.pending_reason
  delete copy.next_action
  return copy
}

// the older charge.refund.updated is deprecated and not told
async function tell(work: Work, refund: Refund): Promise<Refund> {
  await work.emit('refund.updated', refund)
  return refund
}

type Plan = 'succeed' | 'fail' | 'fail_unfunded' | 'expire'

const plan = ({ store, now }: Work, { id }: Refund, what: Plan, days: number) =>
  store.put('hidden.refund', { id, what, at: now + days * DAY })
