import { z } from 'zod'
import { businessActivities, businessTypes } from '#contract/business.ts'
import { endpoints } from '#contract/endpoint.ts'
import { money, time } from '#contract/fields.ts'

const option = z.object({ id: z.string(), label: z.string() })

export const config = z
  .object({
    trial_available_until: time.nullable(),
    trial_months: z.int(),
    subscription_price: money,
    business_types: z.array(option),
    business_activities: z.array(option.extend({ side: z.enum(['merchant', 'trade']) })),
    upload_limits: z.object({
      image_max_bytes: z.int(),
      video_max_bytes: z.int(),
      document_max_bytes: z.int(),
      files_per_pick: z.int(),
      merchant_documents: z.int(),
    }),
    privacy_url: z.string(),
    terms_url: z.string(),
    sandbox: z.boolean(),
    app_version: z.string(),
    server_time: time,
  })
  .meta({ id: 'Config' })

export const configOptions = {
  business_types: Object.entries(businessTypes).map(([id, label]) => ({ id, label })),
  business_activities: Object.entries(businessActivities).map(([id, { label, side }]) => ({ id, label, side })),
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
  'GET /healthz': {
    summary: 'Whether the process lives',
    access: 'anyone',
    replies: { 200: z.object({ status: z.literal('ok') }) },
  },
  'GET /readyz': {
    summary: 'Whether it can serve: database reachable, migrations done',
    access: 'anyone',
    replies: { 200: z.object({ status: z.literal('ready') }) },
  },
})
