import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { StepReader } from '#domain/notifications/step-words.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'

/** Which kind of notification a step is to its reader: what somebody switches off under one heading. */
export function stepKind(step: StepName, as: StepReader, to: ListingStatus): NotificationKind {
  if (as === 'admin') return 'admin_issue'
  if (as === 'offered') return 'offered'
  if (as === 'bidder') return 'bid_closed'
  if (to === 'HasAdminIssue') return 'sale_stopped'
  if (as === 'buyer' && (step === 'end_sold' || step === 'accept_offer')) return 'won'
  if (as === 'buyer' && (step === 'lapse_offer' || step === 'withdraw_offer')) return 'offered'
  return bySteps[step] ?? 'exchange'
}

const bySteps: Partial<Record<StepName, NotificationKind>> = {
  ready: 'listing_progress',
  end_without_bid: 'listing_progress',
  end_below_reservation: 'listing_progress',
  decline_offer: 'listing_progress',
  lapse_offer: 'listing_progress',
  lapse_missed_payment: 'listing_progress',
  remove: 'listing_progress',
  restore: 'listing_progress',
  end_sold: 'sold',
  accept_offer: 'sold',
  kyc_verified: 'kyc',
  kyc_lapsed: 'kyc',
  correct_vat_number: 'vat',
  recheck_vat_number: 'vat',
  upload_invoice: 'payment',
  issue_invoice: 'payment',
  paid: 'payment',
  paid_short: 'payment',
  use_deferred_terms: 'payment',
  miss_payment: 'payment',
  miss_balance: 'payment',
  reinstate_buyer: 'payment',
  become_overdue: 'payment',
  dispute_opened: 'payment',
  dispute_won: 'payment',
  dispute_lost: 'payment',
  request_amend: 'amend_or_return',
  approve_amend: 'amend_or_return',
  amend_unanswered: 'amend_or_return',
  reject_amend: 'amend_or_return',
  withdraw_amend: 'amend_or_return',
  upload_credit_note: 'amend_or_return',
  upload_supplementary_invoice: 'amend_or_return',
  issue_amend_papers: 'amend_or_return',
  start_return: 'amend_or_return',
  dispatch_return: 'amend_or_return',
  cancel_return: 'amend_or_return',
  lapse_return: 'amend_or_return',
  confirm_return: 'amend_or_return',
  presume_returned: 'amend_or_return',
  release: 'sale_stopped',
  resolve: 'sale_stopped',
}
