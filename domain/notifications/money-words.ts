import { formatPence } from '#domain/format.ts'
import type { Words } from '#domain/notifications/kinds.ts'

/** What admins are told of money that needs a look. */
export type MoneyFacts =
  | { about: 'cash_left_over'; company: string }
  | { about: 'payment_too_late'; title: string; amount: number }
  | { about: 'refund_failed'; amount: number; reason: string | null; tries: number }
  | { about: 'payout_refused'; title: string; amount: number; reason: string | null }
  | { about: 'seller_owes'; title: string; amount: number }
  | { about: 'old_sale_disputed'; title: string }

type AboutOf<A extends MoneyFacts['about']> = Extract<MoneyFacts, { about: A }>

const table: { [A in MoneyFacts['about']]: (facts: AboutOf<A>) => { title: string; says: string } } = {
  cash_left_over: ({ company }) => ({
    title: `Money for no sale: ${company}`,
    says: `${company} sent a bank transfer that no sale expects. It is refunded within a day unless a sale uses it.`,
  }),
  payment_too_late: ({ title, amount }) => ({
    title: `Paid too late: ${title}`,
    says: `${formatPence(amount)} arrived for “${title}” after the sale had ended. It is refunded within a day unless the buyer is reinstated.`,
  }),
  refund_failed: ({ amount, reason, tries }) => ({
    title: 'A refund failed',
    says: `A refund of ${formatPence(amount)} failed (${reason ?? 'unknown'}), try ${tries}. It is tried again each day, five times in all.`,
  }),
  payout_refused: ({ title, amount, reason }) => ({
    title: `A seller could not be paid: ${title}`,
    says: `The provider refused ${formatPence(amount)} for “${title}” (${reason ?? 'unknown'}). It is tried again each day.`,
  }),
  seller_owes: ({ title, amount }) => ({
    title: `A seller owes us: ${title}`,
    says: `The seller's account does not cover ${formatPence(amount)} that was to be taken back for “${title}”. It is kept back from the next payouts.`,
  }),
  old_sale_disputed: ({ title }) => ({
    title: `Chargeback: ${title}`,
    says: `A holding fee or an earlier buyer's payment of “${title}” was charged back. The sale as it stands is not touched.`,
  }),
}

export function moneyWords(facts: MoneyFacts): Words {
  const { title, says } = (table[facts.about] as (given: MoneyFacts) => { title: string; says: string })(facts)
  return { title, says: [says], action: 'Open' }
}
