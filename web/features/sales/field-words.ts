import type { ActionField } from '#contract/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice } from '#domain/format.ts'

type FieldWords = { label: string; help?: (listing: Listing) => string | undefined }

/** What a field of an action is called, and what helps with it; one that is not here is called by its name. */
export const labelOf = ({ name, required }: Pick<ActionField, 'name' | 'required'>): string => {
  const label = fieldWords[name]?.label ?? inWords(name)
  return required || isChoice(name) ? label : `${label} (optional)`
}

export const helpOf = ({ name }: Pick<ActionField, 'name'>, listing: Listing): string | undefined => fieldWords[name]?.help?.(listing)

/** `bank_transfer` as 'Bank transfer'. */
export const inWords = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

// one of these is needed, so neither is optional to the reader
const isChoice = (name: string) => name === 'vat_number' || name === 'not_vat_registered' || name === 'weigh_at_buyer'

const fieldWords: Record<string, FieldWords> = {
  reason: { label: 'Reason' },
  text: { label: 'Note' },
  reservation_price: {
    label: 'New reservation price',
    help: ({ reservation_price, current_price, price_basis }) =>
      reservation_price
        ? `Now ${formatPrice(reservation_price.value, price_basis)}; the highest bid is ${formatPrice(current_price.value, price_basis)}`
        : undefined,
  },
  duration_days: { label: 'Days it runs', help: () => 'Left empty it runs as long as before' },
  vat_number: { label: 'VAT number', help: () => 'Such as GB123456789' },
  not_vat_registered: { label: 'Not VAT registered', help: () => 'No VAT is added to the price then' },
  invoice: { label: 'Invoice' },
  total: {
    label: 'Total on your invoice',
    help: ({ amounts }) => (amounts ? `With VAT it must be ${formatPence(amounts.total.value)}` : undefined),
  },
  method: { label: 'How you pay' },
  waive_reservation: { label: 'Sell below the reservation price', help: () => 'The next bidder’s highest bid does not meet it' },
  load_images: { label: 'Load pictures' },
  weighbridge_ticket: { label: 'Weighbridge ticket' },
  weighbridge_monitor: { label: 'Picture of the weighbridge’s display' },
  weigh_at_buyer: { label: 'It is weighed at the buyer’s' },
  delivery_note: { label: 'Delivery note' },
  slot: { label: 'When it is collected' },
  vehicle: { label: 'Vehicle registration' },
  eta: { label: 'When it arrives' },
  code: { label: 'Handover code', help: () => 'Six digits, from the buyer' },
  evidence: { label: 'Evidence' },
  photos: { label: 'Photos' },
  credit_note: { label: 'Credit note' },
  return_delivery_note: { label: 'Return delivery note' },
  return_credit_note: { label: 'Return credit note' },
}
