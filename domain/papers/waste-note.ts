import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import { materials } from '#contract/values/materials.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { formatWeight } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import { materialWords, saleReference } from '#domain/papers/invoice.ts'
import {
  factOf,
  NOT_STATED,
  onOneLine,
  partyLines,
  printedTime,
  type Fact,
  type IssuedKind,
  type PrintedPaper,
  type TradeParty,
} from '#domain/papers/printed-paper.ts'
import { weightOf, type SaleOnPaper, type WeighedBy } from '#domain/papers/sale-papers.ts'

// RULES §7: a waste transfer note is drafted before the goods move and completed at the handover; hazardous codes get a consignment note.

/** Goods that are not scrap are not waste: they move without a note. */
export const isWaste = ({ material_id }: Pick<SaleOnPaper['listing'], 'material_id'>): boolean => materials[material_id].is_scrap

export const ewcCodeOf = ({ material_id, ewc_code }: Pick<SaleOnPaper['listing'], 'material_id' | 'ewc_code'>): string | null =>
  ewc_code ?? materials[material_id].ewc_code

// entries of the list of wastes that are always hazardous, as far as metal merchants meet them; people leave out the star
const hazardousCodes = new Set(
  `120109 120114 120116 120118 120120 160104 160107 160108 160109 160110 160111 160113 160121 160209 160210 160211 160212 160213 160215
   160601 160602 160603 160606 160802 160805 160806 160807 170409 170410 191003 191005 191211 200121 200123 200133 200135`.split(/\s+/),
)

export function isHazardous(listing: Pick<SaleOnPaper['listing'], 'material_id' | 'ewc_code'>): boolean {
  const code = ewcCodeOf(listing) ?? ''
  return code.includes('*') || hazardousCodes.has(code.replace(/\D/g, ''))
}

export const noteKindOf = (listing: SaleOnPaper['listing']): Extract<IssuedKind, 'waste_transfer_note' | 'consignment_note'> =>
  isHazardous(listing) ? 'consignment_note' : 'waste_transfer_note'

/** SIC 2007 of whoever transfers the waste, by business activity. */
export const sicCodes: Record<BusinessActivity, string | null> = {
  scrap_metal_dealer: '46.77',
  scrap_metal_collector: '38.11',
  waste_collector: '38.11',
  motor_salvage: '38.31',
  metal_processor: '38.32',
  demolition: '43.11',
  skip_hire: '38.11',
  broker: '46.77',
  electrician: '43.21',
  plumber: '43.22',
  roofer: '43.91',
  builder: '41.20',
  engineering: '25.62',
  facilities: '81.10',
  other: null,
}

/** Who moves the goods: the buyer fetches them, or the seller brings them. */
export const carrierOf = ({ listing, seller, buyer }: SaleOnPaper): TradeParty =>
  listing.transfer_method_id === transferMethods.Collection ? buyer : seller

export const weighedBy: Record<WeighedBy, string> = {
  buyer: "by the buyer's weighbridge",
  seller: "by the seller's weighbridge",
  listing: 'as listed',
}

/** A draft has no number, and no time of transfer yet. */
export function wasteNote(sale: SaleOnPaper, { number, issuedAt }: { number: string | null; issuedAt: Date }): PrintedPaper {
  const { listing, seller, buyer, award } = sale
  const isDraft = number === null
  const isConsignment = isHazardous(listing)
  return {
    title: isConsignment ? 'Consignment note' : 'Waste transfer note',
    number,
    mark: isDraft ? 'Draft' : null,
    issued_at: issuedAt.toISOString(),
    facts: [
      { label: isConsignment ? 'Consignment code' : 'Number', value: number ?? 'Given at the handover' },
      { label: isDraft ? 'Drafted' : 'Date of issue', value: formatDay(issuedAt) },
      { label: 'Sale', value: saleReference(award.id) },
    ],
    parties: [
      { heading: isConsignment ? 'Consignor (seller)' : 'Transferor (seller)', lines: holderLines(seller) },
      { heading: isConsignment ? 'Consignee (buyer)' : 'Transferee (buyer)', lines: holderLines(buyer) },
    ],
    lines: [],
    totals: [],
    sections: [
      { heading: 'The waste', facts: wasteFacts(sale, isConsignment) },
      { heading: 'The transfer', facts: transferFacts(sale, isDraft) },
    ],
    notes: notesOf(sale, isDraft, isConsignment),
  }
}

const holderLines = (party: TradeParty) => [
  ...partyLines(party),
  ...(party.licence ? [`Licence ${party.licence}`] : []),
  `SIC code ${sicOf(party) ?? NOT_STATED.toLowerCase()}`,
]

const sicOf = ({ business_activity }: TradeParty) =>
  business_activity !== null && business_activity in businessActivities ? sicCodes[business_activity as BusinessActivity] : null

function wasteFacts(sale: SaleOnPaper, isConsignment: boolean): Fact[] {
  const { listing, exchange } = sale
  const weight = weightOf(sale)
  return [
    { label: 'EWC code', value: ewcCodeOf(listing) ?? NOT_STATED },
    {
      label: 'Description',
      value: [listing.title, materialWords(listing), ...(listing.grade ? [`grade ${listing.grade}`] : [])].join(' · '),
    },
    { label: 'Form', value: 'Solid' },
    { label: 'Contained in', value: 'Loose, as the load images show' },
    ...factOf('Condition', listing.condition),
    { label: 'Quantity', value: weight ? `${formatWeight(weight.kg)} (${kg(weight.kg)}) ${weighedBy[weight.by]}` : 'Weighed by the buyer' },
    ...factOf('Marks', listing.serial_numbers && onOneLine(listing.serial_numbers)),
    ...(isConsignment
      ? [
          { label: 'Hazardous', value: 'Yes, by its code' },
          { label: 'Hazard properties', value: exchange.hazard_properties ?? NOT_STATED },
        ]
      : []),
  ]
}

const whole = new Intl.NumberFormat('en-GB')
const kg = (weight: number) => `${whole.format(weight)} kg`

function transferFacts(sale: SaleOnPaper, isDraft: boolean): Fact[] {
  const { listing, exchange } = sale
  const carrier = carrierOf(sale)
  const planned = exchange.slot ?? exchange.eta
  const isCollection = listing.transfer_method_id === transferMethods.Collection
  return [
    isDraft
      ? { label: 'Planned for', value: planned ? printedTime(planned) : 'Not agreed yet' }
      : { label: 'Transferred', value: exchange.received_at ? printedTime(exchange.received_at) : NOT_STATED },
    { label: isCollection ? 'Collected from' : 'Sent from', value: listing.pick_up.join(', ') },
    ...(isCollection ? [] : [{ label: 'Delivered to', value: sale.buyer.address.join(', ') || NOT_STATED }]),
    { label: 'Carrier', value: carrier.company_name },
    { label: 'Carrier registration', value: carrier.waste_carrier_number ?? NOT_STATED },
    { label: 'Vehicle', value: exchange.vehicle ?? (isDraft ? 'Entered at the handover' : NOT_STATED) },
  ]
}

function notesOf({ listing, exchange }: SaleOnPaper, isDraft: boolean, isConsignment: boolean): string[] {
  const hierarchy =
    'The transferor confirms having applied the waste hierarchy as regulation 12 of the Waste (England and Wales) Regulations 2011 asks.'
  const keepFor = isConsignment ? 'Keep this note for three years.' : 'Keep this note for two years.'
  if (isDraft) return ['Drafted before the goods move. It is completed with vehicle, weight and time at the handover.', hierarchy]
  const by =
    listing.transfer_method_id === transferMethods.Collection
      ? 'Confirmed on Yardbid by the seller with the code that the buyer gave at the handover'
      : 'Receipt recorded on Yardbid'
  return [`${by}${exchange.received_at ? `, ${printedTime(exchange.received_at)}` : ''}.`, hierarchy, keepFor]
}
