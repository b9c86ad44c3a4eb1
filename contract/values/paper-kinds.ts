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
