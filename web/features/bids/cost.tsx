import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice, formatWeight } from '#domain/format.ts'
import type { Pence } from '#domain/money.ts'
import { useVatRate } from '#web/api/config.ts'
import { costOf } from '#web/features/bids/bid-amounts.ts'

/** Price × weight + VAT, as the winner would owe it. */
export function Cost({ listing, amount, isMost }: { listing: Listing; amount: Pence; isMost: boolean }) {
  const { price_basis, weight_kg, seller } = listing
  const vatRate = useVatRate()
  const { goods, vat, total } = costOf(listing, amount, vatRate)
  const isByWeight = price_basis === 'tonne' && weight_kg !== null
  return (
    <dl className="grid gap-1">
      <Row name={isByWeight ? `${formatPrice(amount, price_basis)} × ${formatWeight(weight_kg)}` : 'For the lot'} pence={goods} />
      <Row name={seller.vat_registered ? `VAT ${vatRate}%` : 'No VAT: the seller is not registered'} pence={vat} />
      <Row name={isMost ? 'You pay at most' : 'You pay if you win'} pence={total} isTotal />
    </dl>
  )
}

function Row({ name, pence, isTotal = false }: { name: string; pence: Pence; isTotal?: boolean }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${isTotal ? 'border-t border-line pt-1 font-strong' : 'text-muted'}`}>
      <dt>{name}</dt>
      <dd className={`tabular text-ink ${isTotal ? 'text-20' : 'text-16'}`}>{formatPence(pence)}</dd>
    </div>
  )
}
