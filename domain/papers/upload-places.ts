import type { PaperKind } from '#contract/values/storage-kinds.ts'
import type { storageObjectKinds } from '#contract/values/storage-kinds.ts'

// Every storage object kind of SPEC §3: who uploads it, with which step and field, what paper it is, and who sees it then.

type StorageKind = keyof typeof storageObjectKinds

type UploadPlace = {
  kind: StorageKind
  by: 'seller' | 'buyer' | 'user'
  /** Null: not with a step of a sale. */
  steps: readonly string[] | null
  field: string
  paper: PaperKind | null
  /** `parties`: both parties of that sale once the step is done, and the back office. */
  seenBy: 'parties' | 'owner'
}

const place = (kind: StorageKind, by: 'seller' | 'buyer', steps: readonly string[], field: string, paper: PaperKind): UploadPlace => ({
  kind,
  by,
  steps,
  field,
  paper,
  seenBy: 'parties',
})

export const uploadPlaces: readonly UploadPlace[] = [
  place('Invoice', 'seller', ['upload_invoice'], 'invoice', 'invoice'),
  place('WeighbridgeTicket', 'seller', ['submit_documents', 'dispatch'], 'weighbridge_ticket', 'weighbridge_ticket'),
  place('WeighbridgeMonitor', 'seller', ['submit_documents', 'dispatch'], 'weighbridge_monitor', 'weighbridge_monitor'),
  place('LoadImage', 'seller', ['submit_documents', 'dispatch'], 'load_images', 'load_image'),
  place('DeliveryNote', 'seller', ['dispatch'], 'delivery_note', 'delivery_note'),
  place('ListingAmendSupportingDocument', 'buyer', ['request_amend'], 'evidence', 'amend_evidence'),
  place('WeighbridgeTicket', 'buyer', ['confirm_received', 'accept_goods', 'request_amend'], 'weighbridge_ticket', 'weighbridge_ticket'),
  place('ListingAmendsCreditNote', 'seller', ['upload_credit_note'], 'credit_note', 'credit_note'),
  place('Invoice', 'seller', ['upload_supplementary_invoice'], 'invoice', 'supplementary_invoice'),
  place('LoadImage', 'buyer', ['start_return'], 'photos', 'return_photo'),
  place('ListingReturnDeliveryNote', 'buyer', ['dispatch_return'], 'return_delivery_note', 'return_delivery_note'),
  place('ListingReturnCreditNote', 'seller', ['confirm_return'], 'return_credit_note', 'return_credit_note'),
  { kind: 'MerchantDocument', by: 'user', steps: null, field: 'documents', paper: null, seenBy: 'owner' },
]

/** What an upload that came with a step is; null for one that is no paper of the sale. */
export const paperOfUpload = (step: string, field: string): PaperKind | null =>
  uploadPlaces.find((row) => row.steps?.includes(step) && row.field === field)?.paper ?? null
