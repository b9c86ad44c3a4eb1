import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { keysOf, message, text, time } from '#contract/fields.ts'
import { listing } from '#contract/listings.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

export const PREFERENCE_RADIUS_MAX = 500

const materialId = z.enum(keysOf<MaterialId>(materials), 'Choose from the materials listed')

const preferencesForm = z
  .strictObject({
    material_ids: z.array(materialId).max(Object.keys(materials).length, 'Each material once'),
    min_weight_kg: z.int('Whole kilograms').min(1, 'At least 1 kg').max(1_000_000, 'At most 1,000 t').nullish(),
    radius_miles: z
      .number('Enter the miles')
      .min(1, 'At least 1 mile')
      .max(PREFERENCE_RADIUS_MAX, `At most ${PREFERENCE_RADIUS_MAX} miles`)
      .nullish(),
    post_code: text(10).nullish(),
    alerts: z.boolean(),
    /** For tradespeople: whether the market's map shows the business, by postcode district. */
    show_on_map: z.boolean().optional(),
  })
  .refine(({ radius_miles, post_code }) => radius_miles == null || !!post_code, {
    path: ['post_code'],
    message: 'Give the post code that the miles are counted from',
  })
export type PreferencesForm = z.output<typeof preferencesForm>

const preferences = z
  .object({
    material_ids: z.array(materialId),
    min_weight_kg: z.int().nullable(),
    radius_miles: z.number().nullable(),
    post_code: z.string().nullable(),
    alerts: z.boolean(),
    /** Null for those who are no tradespeople. */
    show_on_map: z.boolean().nullable(),
    /** When they were saved; null if they never were. */
    updated_at: time.nullable(),
  })
  .meta({ id: 'MaterialPreferences' })
export type MaterialPreferences = z.output<typeof preferences>

export const preferenceEndpoints = endpoints({
  'GET /api/v1/auth/marketplace/preferences': {
    summary: 'What the caller buys, from which weight on and how far away',
    access: 'member',
    replies: { 200: z.object({ data: preferences }) },
  },
  'POST /api/v1/auth/marketplace/preferences': {
    summary: 'Save material preferences; with alerts the caller is told of matching listings, and of enquiries if the plan includes it',
    access: 'member',
    body: preferencesForm,
    replies: { 200: message.extend({ data: preferences }) },
  },
  'GET /api/v1/listings/for-you': {
    summary: 'Active listings that match the caller’s material preferences, ending soonest first',
    access: 'member',
    replies: { 200: z.object({ data: z.array(listing) }) },
  },
})
