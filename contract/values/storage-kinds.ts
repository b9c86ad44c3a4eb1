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

/** Every kind of paper that can belong to a sale: issued by us, or uploaded by the seller or the buyer. */
export const paperKinds = [
  'invoice',
  'supplementary_invoice',
  'credit_note',
  'return_credit_note',
  'waste_transfer_note',
  'consignment_note',
  'scrap_record',
  'weighbridge_ticket',
  'weighbridge_monitor',
  'load_image',
  'delivery_note',
  'return_delivery_note',
  'amend_evidence',
  'return_photo',
] as const
export type PaperKind = (typeof paperKinds)[number]
