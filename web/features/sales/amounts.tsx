import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import type { Party } from '#web/listing/turn.ts'

/** What the sale comes to, and with whom. */
export function Amounts({ listing: { amounts, counterparty }, party }: { listing: Listing; party: Party }) {
  if (!amounts && !counterparty) return null
  return (
    <dl className="grid gap-1 border-t border-line pt-3">
      {counterparty && (
        <div className="flex items-baseline justify-between gap-4">
          <dt className="text-muted">{party === 'seller' ? 'Buyer' : 'Seller'}</dt>
          <dd className="text-right wrap-anywhere">{counterparty.company_name}</dd>
        </div>
      )}
      {amounts && (
        <>
          <Row name="Goods" pence={amounts.goods.value} />
          <Row name="VAT" pence={amounts.vat.value} />
          <Row name="Total" pence={amounts.total.value} look="border-t border-line pt-1 font-strong" />
          {isUnderWay(amounts) && <Row name="Paid" pence={amounts.paid.value} />}
          {amounts.refunded.value > 0 && <Row name="Refunded" pence={amounts.refunded.value} />}
          {isUnderWay(amounts) && (
            <Row name="Due" pence={amounts.due.value} figure="text-28" look="border-t border-line pt-1 font-strong" />
          )}
        </>
      )}
    </dl>
  )
}

/** Before anything can be paid there is nothing to say of it. */
const isUnderWay = ({ paid, due }: NonNullable<Listing['amounts']>) => paid.value > 0 || due.value > 0

function Row({ name, pence, figure = 'text-20', look = 'text-muted' }: { name: string; pence: number; figure?: string; look?: string }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${look}`}>
      <dt>{name}</dt>
      <dd className={`tabular text-ink ${figure}`}>{formatPence(pence)}</dd>
    </div>
  )
}
