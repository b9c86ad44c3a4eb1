import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice, formatWeight } from '#domain/format.ts'
import type { Party } from '#web/listing/turn.ts'

/** What the sale comes to, and with whom. */
export function Amounts({
  listing: { amounts, counterparty, current_price, price_basis, weight_kg, my_latest_bid },
  party,
}: {
  listing: Listing
  party: Party
}) {
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
          {price_basis === 'tonne' && weight_kg !== null && (
            <div className="flex items-baseline justify-between gap-4 text-muted">
              <dt>Price</dt>
              <dd className="tabular text-16">
                {formatPrice(priceOf({ current_price, my_latest_bid }), 'tonne')} × {formatWeight(weight_kg)}
              </dd>
            </div>
          )}
          <Row name="Goods" pence={amounts.goods.value} />
          <Row name="VAT" pence={amounts.vat.value} />
          <Row name="Total" pence={amounts.total.value} look="border-t border-line pt-1 font-strong" />
          {isUnderWay(amounts) && <Row name="Paid" pence={amounts.paid.value} />}
          {amounts.refunded.value > 0 && <Row name="Refunded" pence={amounts.refunded.value} />}
          {amounts.due.value > 0 && (
            <Row name="Due" pence={amounts.due.value} figure="text-28" look="border-t border-line pt-1 font-strong" />
          )}
        </>
      )}
    </dl>
  )
}

/** An offer to the next bidder is at that bidder's own highest bid, not at the last price. */
const priceOf = ({ current_price, my_latest_bid }: Pick<Listing, 'current_price' | 'my_latest_bid'>) =>
  my_latest_bid?.bid_status.name === 'OfferedToYou' ? my_latest_bid.max_price.value : current_price.value

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
