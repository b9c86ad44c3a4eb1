import type { EnquiryStatus, OfferStatus } from '#contract/market/conversations.ts'

// What may happen to an enquiry and to the offers for it. Each function answers the reason why not, or nothing.

export type EnquiryState = { status: EnquiryStatus; ends_at: Date; offer_count: number }

/** An enquiry whose time is over has ended, whether or not the job that says so has run. */
export const statusNow = ({ status, ends_at }: Pick<EnquiryState, 'status' | 'ends_at'>, now: Date): EnquiryStatus =>
  status === 'open' && ends_at <= now ? 'ended' : status

const closedReasons: Record<Exclude<EnquiryStatus, 'open'>, string> = {
  agreed: 'This enquiry is agreed with another member. It takes no more offers.',
  ended: 'This enquiry has ended. It takes no more offers.',
}

export function whyNotOpen(enquiry: Pick<EnquiryState, 'status' | 'ends_at'>, now: Date): string | undefined {
  const status = statusNow(enquiry, now)
  return status === 'open' ? undefined : closedReasons[status]
}

export function whyNotEditEnquiry(enquiry: EnquiryState, now: Date): string | undefined {
  if (statusNow(enquiry, now) !== 'open') return 'This enquiry is closed and cannot be changed.'
  return enquiry.offer_count > 0 ? 'Somebody has made an offer, so the enquiry cannot be changed any more. You can close it.' : undefined
}

export const whyNotExtend = (enquiry: EnquiryState, now: Date): string | undefined =>
  statusNow(enquiry, now) === 'open' ? undefined : 'This enquiry is closed. Post a new one.'

const decidedReasons: Record<Exclude<OfferStatus, 'open'>, string> = {
  accepted: 'This offer was accepted already.',
  declined: 'This offer was declined. A new one can be made.',
  withdrawn: 'This offer was withdrawn.',
  replaced: 'There is a newer offer. Look at that one.',
  closed: 'The enquiry was closed, and this offer with it.',
}

export type OfferState = { status: OfferStatus; isOwn: boolean }

/** Each side may accept or decline the other's latest offer. */
export function whyNotAnswer(offer: OfferState, enquiry: Pick<EnquiryState, 'status' | 'ends_at'>, now: Date): string | undefined {
  if (offer.status !== 'open') return decidedReasons[offer.status]
  if (offer.isOwn) return 'You made this offer: the other side decides about it.'
  return whyNotOpen(enquiry, now)
}

export function whyNotWithdraw(offer: OfferState): string | undefined {
  if (!offer.isOwn) return 'Only the member who made an offer can withdraw it.'
  return offer.status === 'open' ? undefined : decidedReasons[offer.status]
}
