import type { StepName } from '#domain/sales/listing-machine-table.ts'

// Which rows of RULES §4 are carried out today. Whatever is not named here is live: people are offered it and time takes it.

const waiting = {
  'for payments: money that is not taken cannot be missed, refunded or paid out': [
    'pay',
    'paid',
    'paid_short',
    'use_deferred_terms',
    'miss_payment',
    'cancel_by_agreement',
    'miss_balance',
    'become_overdue',
    'stay_overdue',
    'dispute_opened',
  ],
  'for the exchange of goods, which begins with a payment': [
    'submit_documents',
    'dispatch',
    'documents_late',
    'cancel_sale',
    'confirm_handover',
    'reschedule',
    'report_no_show',
    'collection_late',
    'presume_received',
    'confirm_received',
    'report_not_arrived',
    'accept_goods',
    'presume_accepted',
    'request_amend',
    'start_return',
    'escalate',
    'approve_amend',
    'reject_amend',
    'withdraw_amend',
    'amend_unanswered',
    'upload_credit_note',
    'upload_supplementary_invoice',
    'issue_amend_papers',
    'dispatch_return',
    'contest_return',
    'cancel_return',
    'lapse_return',
    'confirm_return',
    'dispute_return',
    'presume_returned',
  ],
  'for the back office, whose every act is audited': ['raise_issue', 'release', 'resolve', 'remove', 'restore'],
} as const satisfies Record<string, readonly StepName[]>

const notLive = new Set<string>(Object.values(waiting).flat())

export const isLive = (step: string): boolean => !notLive.has(step)
