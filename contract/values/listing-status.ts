// SPEC §4 "Listing status codes".

export const listingStatuses = {
  RemovedByAdmin: 0,
  HasAdminIssue: 0.1,
  Processing: 1,
  Active: 2,
  PendingPayment: 3,
  Expired: 4,
  DocumentsRequired: 7,
  MissedPayment: 8,
  NextBidder: 9,
  ReturnStarted: 10,
  ReviewAmend: 11,
  ExchangeComplete: 12,
  Dispatched: 13,
  PendingCollection: 14,
  ReturnDispatched: 15,
  ApprovedAmendsDocumentsRequired: 16,
  InvoiceRequired: 17,
  ReturnComplete: 18,
  ReceivedGoods: 19,
  ReservationPrice: 20,
  AwaitingKYC: 21,
  AwaitingVatNumberVerification: 22,
  BalanceDue: 23,
  DeferredPayment: 24,
} as const

export type ListingStatus = keyof typeof listingStatuses

// Codes are compared, never computed with: the 0.1 that is written here is the 0.1 that JSON and a client carry.
const byCode = new Map<number, ListingStatus>(Object.entries(listingStatuses).map(([name, code]) => [code, name as ListingStatus]))

export const statusByCode = (code: number): ListingStatus | undefined => byCode.get(code)
