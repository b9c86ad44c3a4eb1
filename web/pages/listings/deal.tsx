import type { Listing } from '#contract/listings.ts'
import { HoldingFee } from '#web/features/paying/holding-fee.tsx'
import { PayBox } from '#web/features/paying/pay-box.tsx'
import { canPay } from '#web/features/paying/use-paying.ts'
import { Amends } from '#web/features/sales/amends/amends.tsx'
import { ExchangeFacts } from '#web/features/sales/exchange/exchange-facts.tsx'
import { HandoverCode } from '#web/features/sales/exchange/handover-code.tsx'
import { Weighbridge } from '#web/features/sales/exchange/weighbridge.tsx'
import { Movements } from '#web/features/sales/money/movements.tsx'
import { Papers } from '#web/features/sales/papers.tsx'
import { Sale } from '#web/features/sales/sale.tsx'
import type { Party } from '#web/listing/turn.ts'

type Props = {
  listing: Listing
  party: Party
  onDone: (listing: Listing) => void
  onListing: (listing: Listing) => void
  onRefused: () => void
}

/** The sale for its two sides: what comes next, then the exchange, the money and the papers. Nobody else loads it. */
export default function Deal({ listing, party, onDone, onListing, onRefused }: Props) {
  const isReviewed = listing.status.name === 'ReviewAmend'
  // the figures that are decided on stand where it is decided
  const evidence = (
    <>
      <Weighbridge listing={listing} />
      <Amends listing={listing} party={party} />
    </>
  )
  const before = (
    <>
      {party === 'buyer' && <HoldingFee {...{ listing, onListing }} />}
      {party === 'buyer' && <PayBox {...{ listing, onListing }} />}
      {listing.handover_code && <HandoverCode code={listing.handover_code} />}
      {isReviewed && evidence}
    </>
  )
  return (
    <div className="grid gap-6">
      <Sale {...{ listing, onDone, onRefused, before }} shownElsewhere={canPay(listing) ? ['pay'] : []} />
      {!isReviewed && evidence}
      <ExchangeFacts listing={listing} />
      <Movements listing={listing} />
      <Papers listing={listing} party={party} />
    </div>
  )
}
