import { z } from 'zod'
import { businessActivities, businessTypes } from '#contract/values/business.ts'
import { endpoints } from '#contract/endpoint.ts'
import { money, time } from '#contract/fields.ts'
import { materials } from '#contract/values/materials.ts'

const option = z.object({ id: z.string(), label: z.string() })
/** Such as `5m` or `14d`: never working days, so a browser can count with it. */
const duration = z.string()

export const config = z
  .object({
    trial_available_until: time.nullable(),
    trial_months: z.int(),
    subscription_price: money,
    business_types: z.array(option),
    business_activities: z.array(option.extend({ side: z.enum(['merchant', 'trade']) })),
    materials: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        group: z.string(),
        /** What forms suggest; null for goods that are not waste. */
        ewc_code: z.string().nullable(),
        is_scrap: z.boolean(),
        /** Serial numbers and source are asked for. */
        is_restricted: z.boolean(),
      }),
    ),
    /** In days; any other end lies between the least and the most. */
    listing_durations: z.array(z.int()),
    listing_min_duration: duration,
    listing_max_duration: duration,
    late_bid_window: duration,
    late_bid_extension: duration,
    /** How far ahead a slot or an ETA may lie. */
    appointment_max_ahead: duration,
    /** In per cent. */
    vat_rate: z.number(),
    /** How far a weight may be off before an amend of it needs the seller’s answer, in per cent. */
    amend_tolerance: z.number(),
    /** The most that can be paid by card. */
    card_payment_limit: money,
    upload_limits: z.object({
      image_max_bytes: z.int(),
      video_max_bytes: z.int(),
      document_max_bytes: z.int(),
      files_per_pick: z.int(),
      merchant_documents: z.int(),
    }),
    /** `api_base` is null with the real provider, else the sandbox's address. */
    stripe: z.object({ publishable_key: z.string(), api_base: z.string().nullable() }),
    /** What a browser subscribes to push messages with; null where there are none. */
    push_public_key: z.string().nullable(),
    privacy_url: z.string(),
    terms_url: z.string(),
    /** Who answers when a page says 'contact us'. */
    support_email: z.string(),
    sandbox: z.boolean(),
    app_version: z.string(),
    server_time: time,
  })
  .meta({ id: 'Config' })

export type Config = z.output<typeof config>

export const configOptions = {
  business_types: Object.entries(businessTypes).map(([id, label]) => ({ id, label })),
  business_activities: Object.entries(businessActivities).map(([id, { label, side }]) => ({ id, label, side })),
  materials: Object.entries(materials).map(([id, material]) => ({ id, ...material, is_restricted: 'is_restricted' in material })),
}

export const configEndpoints = endpoints({
  'GET /api/v1/config': {
    summary: 'What a client needs to know before anybody logs in',
    access: 'anyone',
    replies: { 200: z.object({ data: config }) },
  },
  'GET /sanctum/csrf-cookie': {
    summary: 'Sets the XSRF-TOKEN cookie; echo it in X-XSRF-TOKEN on every change',
    access: 'anyone',
    replies: { 204: null },
  },
})

/** Of every process, workers too. */
export const healthEndpoints = endpoints({
  'GET /healthz': {
    summary: 'Whether the process lives',
    access: 'anyone',
    session: false,
    replies: { 200: z.object({ status: z.literal('ok') }) },
  },
  'GET /readyz': {
    summary: 'Whether it can serve: database reachable by what takes bids, writable, migrations done',
    access: 'anyone',
    session: false,
    replies: { 200: z.object({ status: z.literal('ready') }) },
  },
})
