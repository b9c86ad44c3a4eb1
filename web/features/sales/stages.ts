import type { Listing } from '#contract/listings.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'

// Where a sale stands on its way, and which way round it takes: LOOK's stepper as data.

type Stages = { names: readonly string[]; done: number }

/** `at`: which of its steps comes next; beyond the last, it is over. */
export type Detour = { name: string; steps: readonly string[]; at: number; look: 'warning' | 'danger' | 'success' }

/** How many stages lie behind a sale in this status; none is shown where nothing is sold. */
const stagesDone: Partial<Record<ListingStatus, number>> = {
  AwaitingKYC: 1,
  AwaitingVatNumberVerification: 1,
  InvoiceRequired: 1,
  PendingPayment: 1,
  MissedPayment: 1,
  DocumentsRequired: 2,
  PendingCollection: 3,
  Dispatched: 3,
  ReceivedGoods: 4,
  ReviewAmend: 4,
  ApprovedAmendsDocumentsRequired: 4,
  ReturnStarted: 4,
  ReturnDispatched: 4,
  DeferredPayment: 5,
  ReturnComplete: 4,
  ExchangeComplete: 6,
}

export function stagesOf(listing: Listing): Stages | null {
  const status = standing(listing)
  const done = status === 'BalanceDue' ? (isAmended(listing) ? 4 : 1) : stagesDone[status]
  if (done === undefined) return null
  const isOnTerms = done > 1 && listing.amounts?.paid.value === 0
  return { names: ['Won', isOnTerms ? 'On terms' : 'Paid', 'Papers', 'Handover', 'Inspection', 'Done'], done }
}

export function detourOf(listing: Listing): Detour | null {
  const row = detours[listing.status.name]
  return typeof row === 'function' ? row(listing) : (row ?? null)
}

const amendSteps = (answer: string, end = 'Settled') => ['Asked', answer, 'Papers', end]
const returnSteps = ['Started', 'Sent back', 'Refunded']

const detours: Partial<Record<ListingStatus, Detour | ((listing: Listing) => Detour | null)>> = {
  HasAdminIssue: { name: 'Issue', steps: ['Yardbid looks into it', 'Sale goes on or ends'], at: 0, look: 'danger' },
  MissedPayment: { name: 'Missed payment', steps: ['Seller decides'], at: 0, look: 'danger' },
  BalanceDue: (listing) =>
    isAmended(listing)
      ? { name: 'Amend', steps: amendSteps('Approved', 'Balance'), at: 3, look: 'warning' }
      : { name: 'Paid in part', steps: ['First part', 'Balance'], at: 1, look: 'warning' },
  DeferredPayment: ({ user_deferred_payment, server_time }) => {
    const isOverdue = user_deferred_payment !== null && Date.parse(server_time) >= Date.parse(user_deferred_payment.expires_at)
    return { name: 'Paid later', steps: [isOverdue ? 'Overdue' : 'Due'], at: 0, look: isOverdue ? 'danger' : 'warning' }
  },
  ReviewAmend: { name: 'Amend', steps: amendSteps('Seller answers'), at: 1, look: 'warning' },
  ApprovedAmendsDocumentsRequired: { name: 'Amend', steps: amendSteps('Approved'), at: 2, look: 'warning' },
  ReceivedGoods: ({ amends }) =>
    amends.at(-1)?.status === 'rejected' ? { name: 'Amend', steps: ['Asked', 'Rejected', 'Buyer decides'], at: 2, look: 'warning' } : null,
  ReturnStarted: { name: 'Return', steps: returnSteps, at: 1, look: 'warning' },
  ReturnDispatched: { name: 'Return', steps: returnSteps, at: 2, look: 'warning' },
  ReturnComplete: { name: 'Return', steps: returnSteps, at: 3, look: 'success' },
}

/** An issue stops the sale where it stood. */
const standing = ({ status, former_status }: Listing): ListingStatus =>
  status.name === 'HasAdminIssue' ? (former_status ?? 'HasAdminIssue') : status.name

const isAmended = ({ amends }: Listing) => amends.some(({ status }) => status === 'approved')
