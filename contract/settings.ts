import { z } from 'zod'

const duration = z.string().regex(/^\d+[smhd]$/, 'a duration such as 5s, 30m, 24h or 14d')

/** RULES §8: key → what it holds and its default. A row in the database overrides it. */
export const settings = {
  subscription_price: { holds: z.int().min(0), default: 16_500 },
  trial_available_until: { holds: z.iso.datetime().nullable(), default: null },
  trial_months: { holds: z.int().min(0), default: 6 },
  restore_window: { holds: duration, default: '30d' },
} as const

export type SettingKey = keyof typeof settings
export type Setting<K extends SettingKey> = z.output<(typeof settings)[K]['holds']>
