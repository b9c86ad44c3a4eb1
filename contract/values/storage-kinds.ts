// SPEC §3: what an upload is for, what a stored document is, and what a listing's media are.

export const uploadKinds = { ListingMedia: 1, ListingAsset: 2, UserAsset: 3 } as const

// 4 is missing in the specification too
export const storageObjectKinds = {
  WeighbridgeTicket: 1,
  WeighbridgeMonitor: 2,
  LoadImage: 3,
  DeliveryNote: 5,
  ListingAmendSupportingDocument: 6,
  MerchantDocument: 7,
  Invoice: 8,
  ListingReturnDeliveryNote: 9,
  ListingAmendsCreditNote: 10,
  ListingReturnCreditNote: 11,
} as const

export const mediaKinds = ['ListingImage', 'ListingVideo', 'ListingStorageObject'] as const
