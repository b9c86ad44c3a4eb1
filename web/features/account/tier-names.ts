import type { Tier } from '#contract/values/permissions.ts'

export const tierNames: Record<Tier, string> = { full: 'Full', basic: 'Basic', seller: 'Seller' }
