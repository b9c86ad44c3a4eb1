import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import type { Field, ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { hasSale } from '#domain/sales/listing-machine-guards.ts'

// What each action of RULES §4 asks for. The screens draw their forms from this (API.md).

const LONGEST_REASON = 1_000
const LONGEST_NOTE = 1_000
const LONGEST_VEHICLE = 60
const LONGEST_HAZARDS = 100
const LONGEST_VAT_NUMBER = 14
const MOST_FILES = 10 // SPEC §9
const HANDOVER_DIGITS = 6
const HEAVIEST_KG = 1_000_000

type Kind = keyof typeof storageObjectKinds

const document = (name: string, kind: Kind, required = true): Field => ({
  name,
  type: 'document',
  required,
  kind: storageObjectKinds[kind],
})
const documents = (name: string, kind: Kind): Field => ({ ...document(name, kind), type: 'documents', max: MOST_FILES })
const text = (name: string, max: number, required = true): Field => ({ name, type: 'text', required, max })
const moment = (name: string, required = true): Field => ({ name, type: 'datetime', required })
const reason = text('reason', LONGEST_REASON)
const optionalReason = text('reason', LONGEST_REASON, false)
const vehicle = text('vehicle', LONGEST_VEHICLE)
// a paper is stored as it was made; its total is compared where the seller states it
const total: Field = { name: 'total', type: 'money', required: false }
// a ticket states a weight; without a ticket there is none to keep
const ticketWeight: Field = { name: 'ticket_weight_kg', type: 'number', required: false, max: HEAVIEST_KG }
// what a consignment note must state
const hazards = ({ is_hazardous }: ListingFacts): Field[] => (is_hazardous ? [text('hazard_properties', LONGEST_HAZARDS)] : [])
const monitorPicture = document('weighbridge_monitor', 'WeighbridgeMonitor', false)

export const fields = {
  reason: [reason],
  optionalReason: [optionalReason],
  withdraw: ({ bid_count }: ListingFacts) => [bid_count > 0 ? reason : optionalReason],
  note: [text('text', LONGEST_NOTE)],
  lowerReservationPrice: ({ reservation_price }: ListingFacts): Field[] => [
    { name: 'reservation_price', type: 'money', required: true, max: (reservation_price ?? 1) - 1 },
  ],
  relist: [{ name: 'duration_days', type: 'number', required: false }],
  vatNumber: [text('vat_number', LONGEST_VAT_NUMBER, false), { name: 'not_vat_registered', type: 'boolean', required: false }],
  invoice: [document('invoice', 'Invoice'), total],
  pay: [{ name: 'method', type: 'choice', required: false, options: ['card', 'bank_transfer'] }],
  offerToNextBidder: ({ next_bidder, reservation_waived }: ListingFacts): Field[] =>
    next_bidder === 'below_reservation' && !reservation_waived ? [{ name: 'waive_reservation', type: 'boolean', required: true }] : [],
  collection: (facts: ListingFacts): Field[] => [
    documents('load_images', 'LoadImage'),
    document('weighbridge_ticket', 'WeighbridgeTicket', false),
    ticketWeight,
    { name: 'weigh_at_buyer', type: 'boolean', required: false },
    monitorPicture,
    ...hazards(facts),
    moment('slot'),
  ],
  dispatch: (facts: ListingFacts): Field[] => [
    document('weighbridge_ticket', 'WeighbridgeTicket'),
    { ...ticketWeight, required: true },
    documents('load_images', 'LoadImage'),
    document('delivery_note', 'DeliveryNote'),
    monitorPicture,
    ...hazards(facts),
    vehicle,
    moment('eta'),
  ],
  handover: [{ name: 'code', type: 'code', required: true, max: HANDOVER_DIGITS }, vehicle],
  slot: [moment('slot')],
  weighed: [document('weighbridge_ticket', 'WeighbridgeTicket', false), ticketWeight],
  amend: [
    { name: 'lines', type: 'amend_lines', required: true },
    documents('evidence', 'ListingAmendSupportingDocument'),
    document('weighbridge_ticket', 'WeighbridgeTicket', false),
    ticketWeight,
  ],
  startReturn: [reason, documents('photos', 'LoadImage')],
  creditNote: [document('credit_note', 'ListingAmendsCreditNote'), total],
  dispatchReturn: [document('return_delivery_note', 'ListingReturnDeliveryNote'), moment('eta')],
  returnCreditNote: [document('return_credit_note', 'ListingReturnCreditNote')],
  resolve: (facts: ListingFacts): Field[] => [
    { name: 'resolution', type: 'choice', required: true, options: resolutionsOf(facts) },
    { name: 'amount', type: 'money', required: false, max: facts.paid },
    optionalReason,
  ],
} as const satisfies Record<string, readonly Field[] | ((facts: ListingFacts) => readonly Field[])>

// of a sale on terms nothing may have been paid: then there is nothing to give a part of back
const resolutionsOf = (facts: ListingFacts) =>
  hasSale(facts) ? ['refund_all', ...(facts.paid > 0 ? ['refund_amount'] : []), 'complete', 'expire'] : ['expire']
