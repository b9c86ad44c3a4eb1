import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { owed } from '#domain/money.ts'

type Props = { listing: Listing; vatRate: number }

/** What the buyer pays the seller at the prices that the seller names. */
export function SellerGets({ listing, vatRate }: Props) {
  const { start_price, reservation_price, price_basis, weight_kg } = listing
  if (price_basis === 'tonne' && weight_kg === null) return <p className="text-muted">Enter the weight to see what it comes to.</p>
  return (
    <dl className="grid gap-2">
      <Row {...{ listing, vatRate }} name="At the start price" price={start_price.value} />
      {reservation_price && <Row {...{ listing, vatRate }} name="At the reservation price" price={reservation_price.value} />}
    </dl>
  )
}

function Row({ listing, vatRate, name, price }: Props & { name: string; price: number }) {
  const { price_basis, weight_kg, seller } = listing
  const { vat, total } = owed(price, { basis: price_basis, weight_kg, vatRate, isVatRegistered: seller.vat_registered })
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt>{name}</dt>
      <dd className="ml-auto text-right">
        <span className="tabular text-20 font-strong">{formatPence(total)}</span>{' '}
        <span className="text-muted">{vat > 0 ? `with ${formatPence(vat)} VAT` : 'no VAT'}</span>
      </dd>
    </div>
  )
}
