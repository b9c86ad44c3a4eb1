import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, inUtc, keysOf, money, pageQuery, text, time } from '#contract/fields.ts'
import { message, messageBody, messageQuery } from '#contract/people/messages.ts'
import { MESSAGE_MAX } from '#contract/values/limits.ts'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

// Conversations about enquiries: messages, offers, and the deal.

const id = z.object({ id: z.string().max(100) })

/** A day, or an instant of it. */
export const day = z.union([z.iso.date(), inUtc], 'Choose the day').refine((given) => given >= '2000' && given < '2100', 'Choose the day')

export const enquiryStatuses = ['open', 'agreed', 'ended'] as const
export type EnquiryStatus = (typeof enquiryStatuses)[number]

export const offerStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'replaced', 'closed'] as const
export type OfferStatus = (typeof offerStatuses)[number]

const offerForm = z.strictObject({
  price: z.int('Enter a price, in whole pence').min(1, 'At least 1p').max(100_000_000, 'At most £1,000,000.00'),
  collect_at: day.nullish(),
  message: text(MESSAGE_MAX).nullish(),
})
export type OfferForm = z.output<typeof offerForm>

export const offer = z
  .object({
    id: z.string(),
    status: z.enum(offerStatuses),
    conversation_id: z.string(),
    enquiry_id: z.string(),
    /** Whether the caller made it. */
    mine: z.boolean(),
    price: money,
    collect_at: time.nullable(),
    created_at: time,
    decided_at: time.nullable(),
    can_accept: z.boolean(),
    can_decline: z.boolean(),
    can_withdraw: z.boolean(),
    can_counter: z.boolean(),
  })
  .meta({ id: 'EnquiryOffer' })
export type Offer = z.output<typeof offer>

/** A member as others in the market see them. */
export const member = z.object({
  id: z.string(),
  company_name: z.string(),
  business_activity: z.enum(keysOf<BusinessActivity>(businessActivities)).nullable(),
  member_since: time,
  /** An approved scrap dealer licence that has not lapsed. */
  has_licence: z.boolean(),
})
export type MarketMember = z.output<typeof member>

export const addressShown = z.object({
  address_line_1: z.string(),
  address_line_2: z.string().nullable(),
  town: z.string(),
  county: z.string().nullable(),
  post_code: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})

export const material = z.object({ id: z.enum(keysOf<MaterialId>(materials)), name: z.string(), group: z.string(), is_scrap: z.boolean() })

/** The terms at the moment of the agreement, and both sides' contact details. Only the two parties see it. */
export const deal = z.object({
  offer_id: z.string(),
  conversation_id: z.string(),
  title: z.string(),
  material,
  weight_kg: z.int().nullable(),
  price: money,
  collect_at: time.nullable(),
  agreed_at: time,
  accepted_by: z.string(),
  counterparty: z.object({
    id: z.string(),
    company_name: z.string(),
    contact_name: z.string(),
    contact_number: z.string(),
    email: z.string(),
  }),
  address: addressShown,
})
export type Deal = z.output<typeof deal>

export const conversationSummary = z
  .object({
    id: z.string(),
    enquiry: z.object({
      id: z.string(),
      title: z.string(),
      status: z.enum(enquiryStatuses),
      material_group: z.string(),
      town: z.string(),
      thumbnail: z.string().nullable(),
    }),
    /** The other side. */
    with: member,
    /** Whether the caller posted the enquiry. */
    is_poster: z.boolean(),
    is_holder: z.boolean(),
    last_message: z.object({ body: z.string(), mine: z.boolean(), at: time }).nullable(),
    /** The price of the newest open offer, from either side. */
    open_price: money.nullable(),
    unread_count: z.int(),
    last_at: time,
  })
  .meta({ id: 'EnquiryConversation' })
export type ConversationSummary = z.output<typeof conversationSummary>

const conversation = conversationSummary.extend({
  can_send: z.boolean(),
  why_not_send: z.string().nullable(),
  can_offer: z.boolean(),
  has_blocked: z.boolean(),
  deal: deal.nullable(),
  offers: z.array(offer),
  server_time: time,
})
export type Conversation = z.output<typeof conversation>

/** A message. If it carries an offer, the offer is included. */
const marketMessage = message.extend({ offer: offer.nullable() }).meta({ id: 'EnquiryMessage' })
export type MarketMessage = z.output<typeof marketMessage>

export const conversationEndpoints = endpoints({
  'POST /api/v1/market/enquiries/{id}/offers': {
    summary: 'Grab the deal: an offer in the caller’s conversation about the enquiry, which it opens',
    access: 'member',
    permission: 'market_send_message_to_enquiry',
    params: id,
    body: offerForm,
    replies: { 201: z.object({ data: offer }) },
  },
  'POST /api/v1/market/enquiries/{id}/conversations': {
    summary: 'Ask about an enquiry without an offer; answers the conversation',
    access: 'member',
    permission: 'market_send_message_to_enquiry',
    params: id,
    body: messageBody,
    replies: { 201: z.object({ data: conversation }) },
  },
  'POST /api/v1/market/offers/{id}/accept': {
    summary: 'Accept the other side’s latest offer: the enquiry is agreed, and closed for all others',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: offer }) },
  },
  'POST /api/v1/market/offers/{id}/decline': {
    summary: 'Decline the other side’s offer; the conversation stays open',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: offer }) },
  },
  'POST /api/v1/market/offers/{id}/withdraw': {
    summary: 'Take back an own offer',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: offer }) },
  },
  'POST /api/v1/market/offers/{id}/counter': {
    summary: 'Answer an offer with one’s own; each side may accept the other’s latest',
    access: 'member',
    params: id,
    body: offerForm,
    replies: { 201: z.object({ data: offer }) },
  },
  'GET /api/v1/market/conversations': {
    summary: 'The caller’s conversations about enquiries, the latest message first',
    access: 'member',
    query: pageQuery,
    replies: { 200: z.object({ data: z.array(conversationSummary), meta: cursorMeta.extend({ unread_count: z.int() }) }) },
  },
  'GET /api/v1/market/conversations/{id}': {
    summary: 'One conversation of the caller’s, with its offers and the deal',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: conversation }) },
  },
  'GET /api/v1/market/conversations/{id}/messages': {
    summary: 'Messages, newest page first, newest last within a page',
    access: 'member',
    params: id,
    query: messageQuery,
    replies: { 200: z.object({ data: z.array(marketMessage), meta: cursorMeta }) },
  },
  'POST /api/v1/market/conversations/{id}/messages': {
    summary: 'Send a message',
    access: 'member',
    params: id,
    body: messageBody,
    replies: { 201: z.object({ data: marketMessage }) },
  },
  'PUT /api/v1/market/conversations/{id}/read': {
    summary: 'Mark every message so far as read',
    access: 'member',
    params: id,
    replies: { 204: null },
  },
})
