import type { ReactNode } from 'react'
import type { Offer } from '#web/features/payments/offer.ts'
import { formatPence } from '#web/money.ts'

/** The price, what the trial makes of it, and what is taken when. */
export function OfferLines({ offer, monthly, children }: { offer: Offer; monthly: number; children: ReactNode }) {
  const [nextName, nextAmount] = offer.next
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="flex items-baseline gap-2">
          <span className="tabular text-40">{formatPence(monthly)}</span>
          <span className="text-muted">a month</span>
        </p>
        {offer.trial && <p className="text-16 font-strong text-success">{offer.trial}</p>}
      </div>
      <dl className="border-y border-line">
        <Line name="Today" amount={offer.today} />
        <Line name={nextName} amount={nextAmount} />
      </dl>
      {children}
    </div>
  )
}

const Line = ({ name, amount }: { name: string; amount: string }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line py-2 first:border-t-0">
    <dt className="text-muted">{name}</dt>
    <dd className="tabular ml-auto text-right text-20">{amount}</dd>
  </div>
)
