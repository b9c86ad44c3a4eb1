import { book } from '#sandbox/stripe/payments/balance.ts'
import { moveCash } from '#sandbox/stripe/payments/cash/cash.ts'
import type { Kinds } from '#sandbox/stripe/engine/kinds.ts'
import type { Duty } from '#sandbox/stripe/engine/route.ts'

const DAY = 24 * 60 * 60
const DAYS_UNTIL_RETURN = 75
const DAYS_UNTIL_SWEEP = 90

/** Sends idle cash back to the payer's account. If that is not known, the cash becomes ours a fortnight later. */
export const returnIdleCash: Duty = async (work) => {
  const { client, store, now } = work
  const { rows } = await client.query<{ doc: Kinds['hidden.cash_balance'] }>(
    `select doc from stripe_sandbox.objects
     where kind = 'hidden.cash_balance' and account = $1 and (doc ->> 'idle_since')::bigint <= $2`,
    [store.account, now - DAYS_UNTIL_RETURN * DAY],
  )
  for (const { doc: cash } of rows) {
    const isSwept = (cash.idle_since ?? now) <= now - DAYS_UNTIL_SWEEP * DAY
    if (!cash.is_payer_known && !isSwept) continue
    for (const [currency, amount] of Object.entries(cash.available).filter(([, left]) => left > 0)) {
      const move = { net_amount: -amount, currency }
      if (cash.is_payer_known) {
        await moveCash(work, cash.id, { type: 'return_initiated', ...move })
        continue
      }
      const swept = { type: 'payment_unreconciled', reporting_category: 'unreconciled_customer_funds', source: cash.id } as const
      const { id } = await book(work, { ...swept, amount, currency })
      await moveCash(work, cash.id, { type: 'transferred_to_balance', ...move, transferred_to_balance: { balance_transaction: id } })
    }
  }
}
