import type { ListingStatus } from '#contract/values/listing-status.ts'

type Edited = { status: ListingStatus; bid_count: number; expires_at: Date | null }

/** RULES §3: before the first bid the owner may edit a listing. The reason why not, or nothing. */
export function whyNotEdit({ status, bid_count, expires_at }: Edited, now: Date): string | undefined {
  if (bid_count > 0) return 'After the first bid you can add a note, lower the reservation price, or withdraw early.'
  if (status === 'Processing') return undefined
  if (status === 'HasAdminIssue' || status === 'RemovedByAdmin') return 'We are looking at this listing. You cannot change it meanwhile.'
  const isRunning = status === 'Active' && expires_at !== null && now < expires_at
  return isRunning ? undefined : 'This listing has ended. Relist it to change it.'
}
