import type { DocumentStatus, LicenceStatus } from '#contract/values/document-kinds.ts'
import { formatDay, formatIsoDay } from '#domain/format-time.ts'

// RULES §7: a licence that lapses stops bidding. What counts is the licence, not the paper that was sent last.

export type LicencePaper = { status: DocumentStatus; expires_at: Date | null }
export type Licence = { status: LicenceStatus; expires_at: Date | null }

/** From somebody's scrap dealer licences: one that is valid wins over one that waits, that over one that has lapsed. */
export function licenceOf(papers: readonly LicencePaper[], now: Date): Licence {
  const [longest] = papers.filter(({ status }) => status === 'approved').toSorted((one, other) => endOf(other) - endOf(one))
  if (longest && endOf(longest) > now.getTime()) return { status: 'approved', expires_at: longest.expires_at }
  if (papers.some(({ status }) => status === 'pending')) return { status: 'pending', expires_at: null }
  if (longest) return { status: 'approved', expires_at: longest.expires_at }
  return { status: papers.length > 0 ? 'rejected' : 'none', expires_at: null }
}

const endOf = ({ expires_at }: LicencePaper) => expires_at?.getTime() ?? Infinity

/** The last day on which a paper counts, as `2027-03-31`: one that ends at midnight ends with the day before. */
export const lastDayOf = (expiresAt: Date): string => formatIsoDay(lastMoment(expiresAt))

/** The same as people write it: `31 March 2027`. */
export const lastDayInWords = (expiresAt: Date): string => formatDay(lastMoment(expiresAt))

const lastMoment = (expiresAt: Date) => new Date(expiresAt.getTime() - 1)
