import type { MerchantDocument } from '#contract/documents.ts'
import type { LicenceStatus } from '#contract/values/document-kinds.ts'
import { lastDayInWords } from '#domain/licence.ts'

type Words = { look: 'success' | 'warning' | 'danger'; says: string }
type Paper = Pick<MerchantDocument, 'status' | 'expires_at' | 'reason'>

export const isLapsed = ({ expires_at }: { expires_at: string | null }, now: string) => expires_at !== null && expires_at <= now

export function statusWords(paper: Paper, now: string): Words {
  if (paper.status === 'pending') return { look: 'warning', says: 'Being checked' }
  if (paper.status === 'rejected') return { look: 'danger', says: `Rejected: ${paper.reason ?? ''}` }
  if (!paper.expires_at) return { look: 'success', says: 'Approved' }
  const day = lastDayInWords(new Date(paper.expires_at))
  return isLapsed(paper, now) ? { look: 'danger', says: `Expired on ${day}` } : { look: 'success', says: `Approved until ${day}` }
}

type LicenceState = { status: LicenceStatus; expires_at: string | null }

/** What the licence means for bidding, and what to do about it. */
export function licenceWords(licence: LicenceState, now: string): { look: Words['look'] | 'primary'; title: string; says: string } {
  const { status, expires_at } = licence
  if (status === 'pending')
    return {
      look: 'warning',
      title: 'We are checking your licence',
      says: 'You get an email when it is done. You cannot bid on scrap until then.',
    }
  if (status === 'rejected')
    return {
      look: 'danger',
      title: 'Your licence was rejected',
      says: 'See why below, and replace it. You cannot bid on scrap until it is approved.',
    }
  if (status === 'none')
    return {
      look: 'primary',
      title: 'No licence yet',
      says: 'Bidding on scrap needs an approved scrap dealer licence. Selling needs none.',
    }
  if (isLapsed(licence, now))
    return { look: 'danger', title: 'Your licence has expired', says: 'You cannot bid on scrap. Upload the new one to go on.' }
  const until = expires_at ? ` until ${lastDayInWords(new Date(expires_at))}` : ''
  return { look: 'success', title: 'Your licence is approved', says: `It is valid${until}.` }
}
