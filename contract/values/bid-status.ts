// SPEC §4 "Bid status codes" and "Bid labels".

export const bidStatuses = {
  Active: { code: 1, label: 'Active' },
  Outbid: { code: 2, label: 'Outbid' },
  Won: { code: 3, label: 'Won' },
  Closed: { code: 4, label: 'Expired' },
  MissedPayment: { code: 5, label: 'Missed Payment' },
  OfferedToYou: { code: 6, label: 'Offered To You' },
  OfferedToYouAtReservationPrice: { code: 7, label: 'Offered to Highest Bidder' },
} as const

export type BidStatus = keyof typeof bidStatuses
