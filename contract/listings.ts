import { z } from 'zod'
import { bidStatuses, type BidStatus } from '#contract/values/bid-status.ts'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf, money, time } from '#contract/fields.ts'
import { listingStatuses, type ListingStatus } from '#contract/values/listing-status.ts'
import { listingForm } from '#contract/listing-form.ts'
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
    amounts: z.object({ goods: money, vat: money, total: money, paid: money, refunded: money, due: money }).nullable(),
    /** The other party of the sale. */
    counterparty: z.object({ id: z.string(), company_name: z.string() }).nullable(),
    /** What must happen next to the listing, in words, and until when; the parties’ alone. */
    deadline: z.object({ action: z.string(), at: time }).nullable(),
    available_actions: z.array(availableAction),
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
