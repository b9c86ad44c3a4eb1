import type { EnquiryStatus, OfferStatus } from '#contract/market/conversations.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { formatDay, inLondon } from '#domain/format-time.ts'

export const statusWords: Record<EnquiryStatus, string> = { open: 'Open', agreed: 'Agreed', ended: 'Ended' }

export const offerWords: Record<OfferStatus, string> = {
  open: 'Waiting for an answer',
  accepted: 'Accepted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  replaced: 'Replaced by a newer offer',
  closed: 'Closed with the enquiry',
}

const shortDay = inLondon({ weekday: 'short', day: 'numeric', month: 'short' })

export function availableInWords(day: string | null): string {
  if (day === null) return 'Any day'
  return new Date(day) <= serverNow() ? 'Available now' : `From ${shortDay.format(new Date(day))}`
}

export const collectInWords = (at: string | null): string => (at === null ? 'Day to be agreed' : formatDay(new Date(at)))
