import { z } from 'zod'
import { LISTING_DAYS_MAX } from '#contract/values/limits.ts'

// counted in working days too: a time that somebody is given (domain/working-days.ts)
const duration = z.string().regex(/^\d{1,5}(?:s|m|h|d|bd)$/, 'a duration such as 5s, 30m, 24h, 14d or 3bd')
// counted back from an end, or by the database, which knows no bank holidays
const plainDuration = z.string().regex(/^\d{1,5}[smhd]$/, 'a duration such as 5s, 30m, 24h or 14d')
const pence = z.int().min(0)
const percent = z.number().min(0).max(100)
const count = z.int().min(0)
const bytes = z.int().min(1)

/** Rows of RULES §3: below that price the step is this; the last row is for every price above. */
const bidSteps = z
  .array(z.strictObject({ below: z.int().min(1).nullable(), step: z.int().min(1) }))
  .refine(
    (rows) => rows.length > 0 && rows.every(({ below }, at) => (at === rows.length - 1 ? below === null : isAbove(below, rows[at - 1]))),
    'rows of { below, step } in pence, each below higher than the one before, the last one null',
  )
const isAbove = (below: number | null, before: { below: number | null } | undefined) => below !== null && below > (before?.below ?? 0)

const MEGABYTE = 1024 * 1024

/** RULES §8: key → what it holds and its default. A row in the database overrides it. */
export const settings = {
  subscription_price: { holds: pence, default: 16_500 },
  trial_available_until: { holds: z.iso.datetime().nullable(), default: null },
  trial_months: { holds: count, default: 6 },
  renewal_grace: { holds: duration, default: '7d' },

  listing_min_duration: { holds: plainDuration, default: '1h' },
  listing_max_duration: { holds: plainDuration, default: '14d' },
  listing_durations: { holds: z.array(z.int().min(1).max(LISTING_DAYS_MAX)).min(1), default: [1, 3, 5, 7, 10, 14] },
  withdraw_before: { holds: plainDuration, default: '12h' },

  bid_steps_lot: {
    holds: bidSteps,
    default: [
      { below: 50_00, step: 1_00 },
      { below: 250_00, step: 5_00 },
      { below: 1_000_00, step: 10_00 },
      { below: 2_500_00, step: 25_00 },
      { below: 5_000_00, step: 50_00 },
      { below: 10_000_00, step: 100_00 },
      { below: 25_000_00, step: 250_00 },
      { below: 100_000_00, step: 500_00 },
      { below: null, step: 1_000_00 },
    ],
  },
  bid_steps_tonne: {
    holds: bidSteps,
    default: [
      { below: 100_00, step: 1_00 },
      { below: 500_00, step: 2_00 },
      { below: 2_000_00, step: 5_00 },
      { below: 5_000_00, step: 10_00 },
      { below: null, step: 25_00 },
    ],
  },
  late_bid_window: { holds: plainDuration, default: '5m' },
  late_bid_extension: { holds: plainDuration, default: '5m' },
  late_bid_cap: { holds: plainDuration, default: '60m' },

  processing_window: { holds: duration, default: '30m' },
  reservation_offer_window: { holds: duration, default: '2bd' },
  offer_window: { holds: duration, default: '24h' },
  offer_depth: { holds: count, default: 3 },
  kyc_window: { holds: duration, default: '3bd' },
  vat_window: { holds: duration, default: '3bd' },
  invoice_window: { holds: duration, default: '1bd' },
  payment_window: { holds: duration, default: '3bd' },
  missed_payment_window: { holds: duration, default: '7d' },
  reinstate_window: { holds: duration, default: '24h' },
  documents_window: { holds: duration, default: '5bd' },
  collection_window: { holds: duration, default: '2bd' },
  delivery_window: { holds: duration, default: '2bd' },
  inspection_window: { holds: duration, default: '3bd' },
  amend_answer_window: { holds: duration, default: '2bd' },
  amend_papers_window: { holds: duration, default: '2bd' },
  amend_tolerance: { holds: percent, default: 2.5 },
  balance_window: { holds: duration, default: '3bd' },
  deferred_grace: { holds: duration, default: '10bd' },
  return_window: { holds: duration, default: '5bd' },
  return_confirm_window: { holds: duration, default: '3bd' },
  restore_window: { holds: plainDuration, default: '30d' },

  vat_rate: { holds: percent, default: 20 },
  seller_fee: { holds: percent, default: 0 },
  holding_fee_rate: { holds: percent, default: 1 },
  holding_fee_min: { holds: pence, default: 2_500 },
  holding_fee_max: { holds: pence, default: 50_000 },
  holding_fee_seller_share: { holds: percent, default: 50 },
  card_payment_limit: { holds: pence, default: 1_000_000 },
  appointment_max_ahead: { holds: plainDuration, default: '14d' },
  strikes_to_block: { holds: z.int().min(1), default: 3 },
  strike_memory: { holds: plainDuration, default: '365d' },

  /** Messages a minute. */
  chat_rate: { holds: z.int().min(1), default: 30 },
  enquiry_lifetime: { holds: duration, default: '14d' },
  ending_soon: { holds: z.array(plainDuration), default: ['1h', '10m'] },

  image_max_bytes: { holds: bytes, default: 20 * MEGABYTE },
  video_max_bytes: { holds: bytes, default: 200 * MEGABYTE },
  document_max_bytes: { holds: bytes, default: 20 * MEGABYTE },
  /** Of all of a user's uploads together (RULES §9). */
  upload_quota_bytes: { holds: bytes, default: 5 * 1024 * MEGABYTE },
  email_changes_per_day: { holds: z.int().min(1), default: 5 },
  licence_warnings: { holds: z.array(plainDuration), default: ['60d', '30d', '7d'] },
} as const satisfies Record<string, { holds: z.ZodType; default: unknown }>

export type SettingKey = keyof typeof settings
export type Setting<K extends SettingKey> = z.output<(typeof settings)[K]['holds']>
