import type { ListingStatus } from '#contract/values/listing-status.ts'

/** Only the owner and the people who bid see a listing in one of these; to everybody else it does not exist. */
export const hiddenStatuses: readonly ListingStatus[] = ['Processing', 'HasAdminIssue', 'RemovedByAdmin']

export const isHidden = (status: ListingStatus): boolean => hiddenStatuses.includes(status)
