import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf, money, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { listingForm } from '#contract/listing-form.ts'
import { paperKinds } from '#contract/values/storage-kinds.ts'
import { mediaItem } from '#contract/storage.ts'

export const listingId = z.object({ id: z.string().max(100) })

/** A field of an action's form, as API.md names them: a client that knows only this can play a whole sale. */
const actionField = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'money', 'datetime', 'boolean', 'choice', 'code', 'document', 'documents', 'amend_lines']),
  required: z.boolean(),
  /** A storage object kind of SPEC §3. */
  kind: z.int().optional(),
  options: z.array(z.string()).optional(),
  /** Characters of a text, files of documents, pence of money. */
  max: z.int().optional(),
})

/** Where to send a bank transfer. */
const bankDetails = z.object({
  account_holder_name: z.string(),
  sort_code: z.string(),
  account_number: z.string(),
  reference: z.string(),
  /** The provider’s own page with the same details. */
  hosted_url: z.string().nullable(),
})

const availableAction = z.object({ action: z.string(), label: z.string(), fields: z.array(actionField) })
export type AvailableAction = z.output<typeof availableAction>
export type ActionField = AvailableAction['fields'][number]

const pickUpAddress = {
  address_line_1: z.string(),
  address_line_2: z.string().nullable(),
  town: z.string(),
  county: z.string().nullable(),
  post_code: z.string(),
  latitude: z.number(),
  longitude: z.number(),
}

export const salePayment = z.object({
  id: z.string(),
  method: z.enum(['card', 'bank_transfer']),
  status: z.enum(['open', 'processing']),
  amount: money,
  /** What has arrived of it. */
  received: money,
  client_secret: z.string(),
  bank_details: bankDetails.nullable(),
  /** Why the last try was declined. */
  last_error: z.string().nullable(),
})
export type SalePayment = z.output<typeof salePayment>

const holdingFee = z.object({
  amount: money,
  /** `asks_buyer`: it must be confirmed, or another card given. */
  status: z.enum(['wanted', 'authorised', 'asks_buyer', 'released', 'captured', 'lapsed']),
  last_error: z.string().nullable(),
})

const exchange = z.object({
  slot: time.nullable(),
  reschedules: z.int(),
  eta: time.nullable(),
  vehicle: z.string().nullable(),
  weigh_at_buyer: z.boolean(),
  seller_weight_kg: z.int().nullable(),
  buyer_weight_kg: z.int().nullable(),
  received_at: time.nullable(),
  return_reason: z.string().nullable(),
  return_eta: time.nullable(),
})

const amendLine = z.object({
  type: z.enum(['weight', 'grade', 'contamination']),
  listed: z.string(),
  found: z.string(),
  price_effect: z.int().optional(),
})

const amend = z.object({
  id: z.string(),
  status: z.enum(['requested', 'withdrawn', 'rejected', 'approved']),
  lines: z.array(amendLine),
  goods: money,
  vat: money,
  total: money,
  /** What it adds to the total; below zero it lowers it. */
  difference: money,
  requested_at: time,
})

const refund = z.object({
  id: z.string(),
  amount: money,
  reason: z.string(),
  status: z.enum(['on_its_way', 'waiting_for_bank_details', 'done', 'failed']),
})

const payout = z.object({
  id: z.string(),
  amount: money,
  purpose: z.enum(['goods', 'balance_due', 'holding_fee']),
  status: z.enum(['on_its_way', 'waiting_for_account', 'done', 'stopped', 'taken_back']),
})

/** A paper of the sale: one that we issued with a number, or one that a party uploaded. */
const paper = z.object({
  id: z.string(),
  kind: z.enum(paperKinds),
  number: z.string().nullable(),
  /** Who made it. */
  by: z.enum(['platform', 'seller', 'buyer']),
  total: money.nullable(),
  url: z.string(),
  at: time,
})
export type Paper = z.output<typeof paper>

export const listing = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    status: z.object({
      id: z.number(),
      name: z.enum(keysOf<ListingStatus>(listingStatuses)),
      label: z.string(),
      theme: z.enum(['danger', 'warning', 'primary', 'success']),
    }),
    is_owner: z.boolean(),
    is_watched: z.boolean(),
    /** Counts every change that others may see; what arrives live with a lower one is old. */
    version: z.int(),
    material: z.object({ id: z.string(), name: z.string(), group: z.string(), is_scrap: z.boolean() }),
    grade: z.string().nullable(),
    ewc_code: z.string().nullable(),
    condition: z.string().nullable(),
    price_basis: z.enum(['lot', 'tonne']),
    weight_kg: z.int().nullable(),
    start_price: money,
    /** The start price until somebody bids. */
    current_price: money,
    minimum_bid: money,
    /** What the next bid adds at this price. */
    bid_step: money,
    has_reservation_price: z.boolean(),
    reservation_met: z.boolean(),
    /** The owner's alone: others see met or not met. */
    reservation_price: money.nullable(),
    bid_count: z.int(),
    created_at: time,
    starts_at: time.nullable(),
    expires_at: time.nullable(),
    extends_on_late_bids: z.boolean(),
    transfer_method_id: z.int(),
    /** The district, and coordinates to about a mile. */
    location: z.object({
      town: z.string(),
      county: z.string().nullable(),
      post_code_district: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      /** From the post code that was searched round; null without one. */
      distance_miles: z.number().nullable(),
    }),
    /** The pick-up address: the owner's, and the parties' once paid. */
    address: z.object({ ...pickUpAddress }).nullable(),
    seller: z.object({
      id: z.string(),
      company_name: z.string(),
      member_since: time,
      vat_registered: z.boolean(),
      completed_sales: z.int(),
    }),
    accepts_deferred_payment: z.boolean(),
    seller_invoices: z.boolean(),
    /** Of restricted materials; the parties' alone. */
    serial_numbers: z.string().nullable(),
    source: z.string().nullable(),
    /** What the seller added after the first bid, oldest first. */
    notes: z.array(z.object({ text: z.string(), at: time })),
    /** Why the seller withdrew it, for those who had bid. */
    withdrawal_reason: z.string().nullable(),
    my_latest_bid: z
      .object({
        id: z.string(),
        current_bid_price: money,
        max_price: money,
        bid_status: z.object({ id: z.int(), name: z.enum(keysOf<BidStatus>(bidStatuses)), label: z.string() }),
      })
      .nullable(),
    media: z.array(mediaItem),
    /** The papers that it was listed with; the owner's alone. */
    documents: z.array(mediaItem),
    can_offer_at_reservation_price: z.boolean(),
    kyc_status: z.enum(['pending', 'verified', 'failed']).nullable(),
    user_deferred_payment: z.object({ expires_at: time }).nullable(),
    /** What the sale comes to; the parties' alone. */
    amounts: z
      .object({
        goods: money,
        vat: money,
        /** In per cent, frozen with the award; 0 where the seller charges none. */
        vat_rate: z.number(),
        total: money,
        paid: money,
        refunded: money,
        due: money,
      })
      .nullable(),
    /** The other party of the sale; how to reach them once it is paid. */
    counterparty: z
      .object({
        id: z.string(),
        company_name: z.string(),
        contact_name: z.string().nullable(),
        contact_number: z.string().nullable(),
        email: z.string().nullable(),
      })
      .nullable(),
    /** What must happen next to the listing, in words, and until when; the parties’ alone. */
    deadline: z.object({ action: z.string(), at: time }).nullable(),
    available_actions: z.array(availableAction),
    /** Where the sale stood before an admin stopped it; the parties’ alone. */
    former_status: z.enum(keysOf<ListingStatus>(listingStatuses)).nullable(),
    /** The open payment; the buyer’s alone. */
    payment: salePayment.nullable(),
    /** The buyer’s alone. */
    holding_fee: holdingFee.nullable(),
    /** Six digits to show at the collection; the buyer’s alone. */
    handover_code: z.string().nullable(),
    /** How the goods change hands; the parties’ alone, as is everything down to the papers. */
    exchange: exchange.nullable(),
    /** Oldest first. */
    amends: z.array(amend),
    refunds: z.array(refund),
    /** What the seller is paid; the seller’s alone. */
    payouts: z.array(payout),
    papers: z.array(paper),
    /** The owner may change everything (PUT) until somebody bids. */
    can_edit: z.boolean(),
    server_time: time,
  })
  .meta({ id: 'Listing' })
export type Listing = z.output<typeof listing>

export const listingEndpoints = endpoints({
  'POST /api/v1/listings': {
    summary: 'List goods; it is Processing until its media are checked, and then Active',
    access: 'member',
    permission: 'auction_create',
    body: listingForm,
    replies: { 201: z.object({ data: listing }) },
  },
  'PUT /api/v1/listings/{id}': {
    summary: 'Edit before the first bid',
    access: 'member',
    permission: 'auction_create',
    params: listingId,
    body: listingForm,
    replies: { 200: z.object({ data: listing }) },
  },
  'DELETE /api/v1/listings/{id}': {
    summary: 'Withdraw before the first bid; later the action `withdraw` carries the reason that bidders see',
    access: 'member',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
  'GET /api/v1/listings/{id}': {
    summary: 'One listing, as the caller may see it',
    access: 'anyone',
    params: listingId,
    replies: { 200: z.object({ data: listing }) },
  },
})
