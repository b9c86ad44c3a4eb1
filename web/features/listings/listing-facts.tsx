import type { Listing } from '#contract/listings.ts'
import { formatPrice, formatWeight } from '#domain/format.ts'
import { formatShortDay, inLondon } from '#domain/format-time.ts'
import { Reserve } from '#web/cards/reserve.tsx'
import { materialInWords, transferInWords } from '#web/cards/words.ts'
import { Facts } from '#web/ui/facts.tsx'

const moment = inLondon({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

export function ListingFacts({ listing }: { listing: Listing }) {
  const { material, grade, ewc_code, condition, weight_kg, transfer_method_id, location, seller, start_price, price_basis, expires_at } =
    listing
  const { address, serial_numbers, source } = listing
  return (
    <Facts
      title="Details"
      rows={[
        ['Material', materialInWords(material)],
        ['Grade', grade],
        ['EWC code', ewc_code && <Figure key="ewc">{ewc_code}</Figure>],
        ['Condition', condition],
        ['Weight', weight_kg && <Figure key="weight">{formatWeight(weight_kg)}</Figure>],
        ['Transfer', transferInWords(transfer_method_id)],
        ['District', `${location.town}, ${location.post_code_district}`],
        [
          'Pick-up address',
          address && [address.address_line_1, address.address_line_2, address.town, address.post_code].filter(Boolean).join(', '),
        ],
        ['Seller', <Seller key="seller" seller={seller} />],
        ['Start price', <Figure key="start">{formatPrice(start_price.value, price_basis)}</Figure>],
        ['Reservation price', <Reservation key="reservation" listing={listing} />],
        ['Ends', expires_at && moment.format(new Date(expires_at))],
        [
          'Serial numbers',
          serial_numbers && (
            <span key="serials" className="whitespace-pre-line">
              {serial_numbers}
            </span>
          ),
        ],
        ['Source', source],
        ['Payment', listing.accepts_deferred_payment && 'May be paid later, on agreed terms'],
        ['Invoice', listing.seller_invoices && 'From the seller'],
        ['Late bids', listing.extends_on_late_bids ? 'Extend the end' : 'Do not extend the end'],
      ]}
    />
  )
}

const Figure = ({ children }: { children: string }) => <span className="tabular text-16">{children}</span>

function Seller({ seller }: Pick<Listing, 'seller'>) {
  return (
    <>
      {seller.company_name}
      <span className="block text-12 text-muted">
        Since {formatShortDay(new Date(seller.member_since))}, {seller.vat_registered ? 'VAT registered' : 'not VAT registered'}
      </span>
    </>
  )
}

/** The figure is the owner's alone. */
function Reservation({ listing }: { listing: Listing }) {
  const { reservation_price, price_basis } = listing
  return (
    <>
      <Reserve listing={listing} />
      {reservation_price && <span className="tabular block text-16">{formatPrice(reservation_price.value, price_basis)}</span>}
    </>
  )
}
