import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { addressFields, cursorMeta, keysOf, line, pageQuery, text, time, wholeNumber } from '#contract/fields.ts'
import { addressShown, conversationSummary, day, deal, enquiryStatuses, material, member, offer } from '#contract/market/conversations.ts'
import { mediaItem } from '#contract/storage.ts'
import { enquiryAges, ENQUIRY_TEXT_MAX, ENQUIRY_TITLE_MAX, type EnquiryAge } from '#contract/market/enquiry-values.ts'
import { MOST_MEDIA } from '#contract/values/limits.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

const id = z.object({ id: z.string().max(100) })
const storageObjectId = z.guid('This upload is not known')
const materialId = z.enum(keysOf<MaterialId>(materials), 'Choose a material')

/** What the poster says of an enquiry. */
export const enquiryForm = z
  .strictObject({
    title: line('Title', ENQUIRY_TITLE_MAX).min(3, 'At least 3 characters'),
    description: text(ENQUIRY_TEXT_MAX)
      .nullish()
      .transform((given) => given ?? ''),
    material_id: materialId,
    weight_kg: z.int('Whole kilograms').min(1, 'At least 1 kg').max(1_000_000, 'At most 1,000 t').nullish(),
    available_from: day.nullish(),
    media: z.array(storageObjectId).max(MOST_MEDIA, `At most ${MOST_MEDIA} photos`).default([]),
    address: z.strictObject(addressFields).optional(),
    use_default_address: z.boolean().optional(),
  })
  .refine(({ address, use_default_address }) => (address === undefined) === (use_default_address === true), {
    path: ['address'],
    message: 'Give an address, or use the default one',
  })
export type EnquiryForm = z.output<typeof enquiryForm>

const location = z.object({
  town: z.string(),
  post_code_district: z.string(),
  /** The centre of the district. */
  latitude: z.number(),
  longitude: z.number(),
  /** From the post code that was searched round; null without one. */
  distance_miles: z.number().nullable(),
})

const enquiry = z
  .object({
    id: z.string(),
    status: z.enum(enquiryStatuses),
    /** Why it ended without a deal. */
    ended_by: z.enum(['poster', 'time']).nullable(),
    title: z.string(),
    description: z.string(),
    material,
    weight_kg: z.int().nullable(),
    available_from: z.iso.date().nullable(),
    location,
    media: z.array(mediaItem),
    poster: member,
    is_mine: z.boolean(),
    created_at: time,
    ends_at: time,
    offer_count: z.int(),
    /** The caller's conversation about it, and whether it has something unread. */
    conversation_id: z.string().nullable(),
    can_edit: z.boolean(),
    can_extend: z.boolean(),
    can_close: z.boolean(),
    /** Whether the caller may open a conversation about it, or answer in the own one; else why not. */
    can_message: z.boolean(),
    why_not_message: z.string().nullable(),
    /** The address that it was posted with; the poster's, and the holder's once agreed. */
    address: addressShown.nullable(),
    server_time: time,
  })
  .meta({ id: 'Enquiry' })
export type Enquiry = z.output<typeof enquiry>

/** The poster's view: every offer and conversation, newest first. */
const ownEnquiry = enquiry.extend({ offers: z.array(offer), conversations: z.array(conversationSummary), deal: deal.nullable() })
export type OwnEnquiry = z.output<typeof ownEnquiry>

const degrees = String.raw`-?\d{1,2}(?:\.\d{1,6})?`

const enquiryFilter = {
  'filter[search]': text(100).optional(),
  'filter[material_id]': materialId.optional(),
  'filter[post_code]': text(10).optional(),
  'filter[radius_miles]': z.coerce.number().min(1).max(500).optional(),
  'filter[min_weight_kg]': wholeNumber.max(1_000_000).optional(),
  'filter[max_weight_kg]': wholeNumber.max(1_000_000).optional(),
  /** Posted within. */
  'filter[age]': z.enum(keysOf<EnquiryAge>(enquiryAges)).optional(),
  /** `south,west,north,east` in degrees. */
  'filter[bounds]': z
    .string()
    .regex(new RegExp(`^${degrees}(?:,${degrees}){3}$`), 'south,west,north,east in degrees')
    .optional(),
}
export type EnquiryFilter = z.output<z.ZodObject<typeof enquiryFilter>>

const enquiryPage = z.object({ data: z.array(enquiry), meta: cursorMeta })

const enquiryMap = z
  .object({
    points: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        town: z.string(),
        material_group: z.string(),
        weight_kg: z.int().nullable(),
        latitude: z.number(),
        longitude: z.number(),
        created_at: time,
      }),
    ),
    /** False if there are more than are shown. */
    is_complete: z.boolean(),
    server_time: time,
  })
  .meta({ id: 'EnquiryMap' })
export type EnquiryMap = z.output<typeof enquiryMap>

const tradespeople = z
  .object({
    post_code_district: z.string(),
    town: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    people: z.array(z.object({ company_name: z.string(), business_activity: z.string() })),
  })
  .meta({ id: 'TradespeopleOfDistrict' })
export type TradespeopleOfDistrict = z.output<typeof tradespeople>

export const enquiryEndpoints = endpoints({
  'GET /api/v1/market/enquiries': {
    summary: 'Open enquiries that match, the newest first',
    access: 'member',
    permission: 'market_view_enquiry',
    query: z.object({ ...enquiryFilter, ...pageQuery.shape }),
    replies: { 200: enquiryPage },
  },
  'GET /api/v1/market/enquiries/map': {
    summary: 'Where the open enquiries that match are, by postcode district',
    access: 'member',
    permission: 'market_view_enquiry',
    query: z.object(enquiryFilter),
    replies: { 200: z.object({ data: enquiryMap }) },
  },
  'GET /api/v1/market/my-enquiries': {
    summary: 'Enquiries that the caller posted, the newest first',
    access: 'member',
    query: pageQuery,
    replies: { 200: enquiryPage },
  },
  'POST /api/v1/market/enquiries': {
    summary: 'Post an enquiry; members whose material preferences match are told',
    access: 'member',
    permission: 'create_enquiry',
    body: enquiryForm,
    replies: { 201: z.object({ data: ownEnquiry }) },
  },
  'GET /api/v1/market/enquiries/{id}': {
    summary: 'One enquiry; the poster also sees its offers and conversations',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: z.union([ownEnquiry, enquiry]) }) },
  },
  'PUT /api/v1/market/enquiries/{id}': {
    summary: 'Edit an own enquiry until the first offer',
    access: 'member',
    permission: 'create_enquiry',
    params: id,
    body: enquiryForm,
    replies: { 200: z.object({ data: ownEnquiry }) },
  },
  'DELETE /api/v1/market/enquiries/{id}': {
    summary: 'Close an own enquiry without a deal',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: ownEnquiry }) },
  },
  'POST /api/v1/market/enquiries/{id}/extend': {
    summary: 'Let an own open enquiry run its whole time again from now',
    access: 'member',
    params: id,
    replies: { 200: z.object({ data: ownEnquiry }) },
  },
  'GET /api/v1/market/tradespeople': {
    summary: 'Tradespeople who agreed to be shown on the map, by postcode district',
    access: 'member',
    permission: 'tradesperson_visible_on_map',
    replies: { 200: z.object({ data: z.array(tradespeople) }) },
  },
})
