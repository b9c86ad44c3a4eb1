import type Stripe from 'stripe'
import { applyCash, remainingOf } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import { availableCash, cashBalance, moveCash, openCash } from '#sandbox/stripe/payments/cash/cash.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'

type Arrival = {
  currency: string
  amount: number
  reference: string | null
  /** The bank says whose account it came from, so that it can be sent back there. */
  isSenderKnown?: boolean
}

/** A transfer arrives: it pays what waits for it, unless the customer's cash is reconciled by hand. */
export async function arrived(work: Work, customer: string, arrival: Arrival): Promise<Stripe.CustomerCashBalanceTransaction> {
  const { amount, currency, reference, isSenderKnown = false } = arrival
  const cash = await openCash(work, customer)
  if (isSenderKnown) await work.store.put('hidden.cash_balance', { ...cash, is_payer_known: true })
  const gb_bank_transfer = { account_number_last4: '6789', sender_name: 'Test sender', sort_code: '108800' }
  const funded = await moveCash(work, customer, {
    type: 'funded',
    net_amount: amount,
    currency,
    funded: { bank_transfer: { gb_bank_transfer, reference, type: 'gb_bank_transfer' } },
  })
  if (cash.mode !== 'manual') await reconcile(work, customer, arrival)
  if ((await availableCash(work, customer, currency)) > 0) {
    await work.emit('cash_balance.funds_available', await cashBalance(work, customer))
  }
  return funded
}

/**
 * In the provider's order for the UK: the payment whose reference was quoted, then the fewest and oldest payments
 * whose sum it is, then the oldest. The provider looks at invoices first, but those are paid by card alone here.
 */
async function reconcile(work: Work, customer: string, { currency, reference }: Arrival): Promise<void> {
  const waiting = async () =>
    (await work.store.find('payment_intent', { customer, currency, status: 'requires_action' })).filter(
      (intent) => remainingOf(intent) !== undefined,
    )
  const quoted = (await waiting()).find(({ next_action }) => {
    const own = next_action?.display_bank_transfer_instructions?.reference
    return own && reference?.includes(own)
  })
  if (quoted) await applyCash(work, quoted)
  const left = await availableCash(work, customer, currency)
  const open = await waiting()
  for (const intent of exactSum(open, left) ?? open) await applyCash(work, intent)
}

const MOST_IN_A_GROUP = 5
// the groups of five of thirty payments are counted in no time; a customer with more open payments quotes references
const MOST_TO_GROUP = 30

/** The fewest of these, and of as many the oldest, that need exactly this much together. */
function exactSum(open: Stripe.PaymentIntent[], amount: number): Stripe.PaymentIntent[] | undefined {
  for (let size = 1; size <= MOST_IN_A_GROUP; size++) {
    const found = pick(open.slice(0, MOST_TO_GROUP), size, amount)
    if (found) return found
  }
  return undefined
}

function pick(open: Stripe.PaymentIntent[], size: number, amount: number): Stripe.PaymentIntent[] | undefined {
  if (size === 0) return amount === 0 ? [] : undefined
  for (const [at, intent] of open.entries()) {
    const rest = amount - (remainingOf(intent) ?? 0)
    const others = rest >= 0 ? pick(open.slice(at + 1), size - 1, rest) : undefined
    if (others) return [intent, ...others]
  }
  return undefined
}
