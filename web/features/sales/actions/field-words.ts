import type { ActionField } from '#contract/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { formatPence, formatPrice } from '#domain/format.ts'

type FieldWords = { label: string | ((listing: Listing) => string); help?: (listing: Listing) => string | undefined }

/** What a field of an action is called, and what helps with it; one that is not here is called by its name. */
export const labelOf = ({ name, required }: Pick<ActionField, 'name' | 'required'>, listing: Listing): string => {
  const words = fieldWords[name]?.label ?? inWords(name)
  const label = typeof words === 'function' ? words(listing) : words
  return required || isChoice(name) ? label : `${label} (optional)`
}

export const helpOf = ({ name }: Pick<ActionField, 'name'>, listing: Listing): string | undefined => fieldWords[name]?.help?.(listing)

/** `bank_transfer` as 'Bank transfer'. */
export const inWords = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

// one of these is needed, so neither is optional to the reader
const isChoice = (name: string) => name === 'vat_number' || name === 'not_vat_registered' || name === 'weigh_at_buyer'

/** What the amend that stands changes: its paper is made out for that, and no other for the whole. */
const amendChange = ({ status, amends }: Listing): number | null =>
  status.name === 'ApprovedAmendsDocumentsRequired'
    ? (amends.findLast((amend) => amend.status === 'approved')?.difference.value ?? null)
    : null

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
  invoice: { label: (listing) => (amendChange(listing) === null ? 'Invoice' : 'Supplementary invoice') },
  total: {
    label: (listing) => ((amendChange(listing) ?? 1) < 0 ? 'Total on your credit note' : 'Total on your invoice'),
    help: (listing) => {
      const change = amendChange(listing)
      const expected = change === null ? listing.amounts?.total.value : Math.abs(change)
      return expected === undefined ? undefined : `With VAT it must be ${formatPence(expected)}`
    },
  },
  method: { label: 'How you pay' },
  waive_reservation: { label: 'Sell below the reservation price', help: () => 'The next bidder’s highest bid does not meet it' },
  load_images: { label: 'Photos of the load', help: () => 'As it stands in your yard; up to 10' },
  weighbridge_ticket: { label: 'Weighbridge ticket', help: () => 'A photo of it will do' },
  ticket_weight_kg: {
    label: 'Weight on the ticket',
    help: ({ weight_kg }) => (weight_kg === null ? 'Net, in kilograms' : `Net, in kilograms; listed are ${kilograms(weight_kg)}`),
  },
  weighbridge_monitor: { label: 'Photo of the weighbridge’s display' },
  weigh_at_buyer: { label: 'It is weighed at the buyer’s', help: () => 'Then no ticket of yours is needed' },
  delivery_note: { label: 'Delivery note' },
  hazard_properties: {
    label: 'Hazard properties',
    help: () => 'For the consignment note: codes such as HP 8, HP 14',
  },
  slot: { label: 'When it is collected' },
  vehicle: { label: 'Vehicle registration', help: () => 'It goes into the record that the law asks for' },
  eta: { label: 'When it arrives' },
  code: { label: 'Handover code', help: () => 'The six digits on the buyer’s screen. You have five tries an hour.' },
  lines: { label: 'What you found' },
  evidence: { label: 'Evidence', help: () => 'Photos or papers that show it' },
  photos: { label: 'Photos' },
  credit_note: { label: 'Credit note' },
  return_delivery_note: { label: 'Return delivery note' },
  return_credit_note: { label: 'Return credit note' },
}

const kilograms = (weight_kg: number) => `${weight_kg.toLocaleString('en-GB')} kg`
