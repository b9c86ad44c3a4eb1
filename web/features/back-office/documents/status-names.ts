import type { DocumentStatus } from '#contract/values/document-kinds.ts'

export const statusNames: Record<DocumentStatus, string> = { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected' }
