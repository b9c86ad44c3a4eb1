import { z } from 'zod'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import {
  DOCUMENT_DETAIL_MAX,
  documentKinds,
  documentStatuses,
  licenceStatuses,
  type DocumentKind,
} from '#contract/values/document-kinds.ts'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, expiry, keysOf, pageQuery, shortText, text, time } from '#contract/fields.ts'
import { MERCHANT_DOCUMENTS_MAX, REASON_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { mediaItem } from '#contract/storage.ts'

const kind = z.enum(keysOf<DocumentKind>(documentKinds), 'Say what the document is')

/** A field that is left out keeps its value; null clears it. */
const detail = (what: string) => shortText(what, DOCUMENT_DETAIL_MAX).nullable().optional()

const documentForm = z.strictObject({
  storage_object_id: z.uuid('This is not the id of an upload').toLowerCase(),
  kind,
  number: detail('Number'),
  council: detail('Council'),
  expires_at: expiry.nullable().optional(),
})
export type DocumentForm = z.output<typeof documentForm>

export const merchantDocument = z
  .object({
    id: z.string(),
    /** Null for one that the back office recorded without a file. */
    storage_object_id: z.string().nullable(),
    kind,
    number: z.string().nullable(),
    council: z.string().nullable(),
    expires_at: time.nullable(),
    status: z.enum(documentStatuses),
    /** Why it was rejected. */
    reason: z.string().nullable(),
    submitted_at: time,
    reviewed_at: time.nullable(),
    file: mediaItem.nullable(),
  })
  .meta({ id: 'MerchantDocument' })
export type MerchantDocument = z.output<typeof merchantDocument>

/** What counts for bidding on scrap: approved, and not past `expires_at`. */
const licence = z.object({ status: z.enum(licenceStatuses), expires_at: time.nullable() })

const documents = z.object({ data: z.array(merchantDocument), licence, server_time: time })

export const documentEndpoints = endpoints({
  'GET /api/v1/auth/merchant-documents': {
    summary: 'The caller’s documents and how far each has come',
    access: 'member',
    replies: { 200: documents },
  },
  'PUT /api/v1/auth/merchant-documents': {
    summary: 'These are the caller’s documents: new ones go to review, those left out are removed',
    access: 'member',
    permission: 'requirements_upload_scrap_license',
    body: z.strictObject({
      documents: z
        .array(documentForm, sentences.fileCount(MERCHANT_DOCUMENTS_MAX))
        .max(MERCHANT_DOCUMENTS_MAX, sentences.fileCount(MERCHANT_DOCUMENTS_MAX))
        .refine((given) => new Set(given.map(({ storage_object_id }) => storage_object_id)).size === given.length, 'Each file once'),
    }),
    replies: { 200: documents.extend({ message: z.string() }) },
  },
})

const reviewedDocument = merchantDocument
  .extend({
    user: z.object({
      id: z.string(),
      email: z.string(),
      first_name: z.string(),
      surname: z.string(),
      company_name: z.string(),
      business_activity: z.enum(keysOf<BusinessActivity>(businessActivities)).nullable(),
    }),
    reviewed_by: z.string().nullable(),
  })
  .meta({ id: 'ReviewedDocument' })

/** Beside the document, what the user said in onboarding: the two should agree. */
const documentToReview = reviewedDocument.extend({
  said: z.object({
    company_number: z.string().nullable(),
    licence_number: z.string().nullable(),
    licence_council: z.string().nullable(),
    licence_expires_at: time.nullable(),
    waste_carrier_number: z.string().nullable(),
  }),
})

const params = z.object({ id: z.string().max(100) })
const reviewed = { 200: z.object({ data: reviewedDocument }) }

export const adminDocumentEndpoints = endpoints({
  'GET /api/v1/admin/documents': {
    summary: 'Merchant documents: those that wait, the longest first; others newest first',
    access: 'staff',
    audit: 'see-documents',
    query: pageQuery.extend({ 'filter[status]': z.enum(documentStatuses, 'pending, approved or rejected').optional() }),
    replies: { 200: z.object({ data: z.array(reviewedDocument), meta: cursorMeta }) },
  },
  'GET /api/v1/admin/documents/{id}': {
    summary: 'One document with what its owner said; file.media.url opens it',
    access: 'staff',
    audit: 'see-document',
    params,
    replies: { 200: z.object({ data: documentToReview }) },
  },
  'POST /api/v1/admin/documents/{id}/approve': {
    summary: 'Approve a document that waits, until the day given or the one its owner gave',
    access: 'admin',
    audit: 'approve-document',
    params,
    body: z.strictObject({ expires_at: expiry.nullish() }).nullish(),
    replies: reviewed,
  },
  'POST /api/v1/admin/documents/{id}/reject': {
    summary: 'Reject a document that waits; its owner reads the reason',
    access: 'admin',
    audit: 'reject-document',
    params,
    body: z.strictObject({ reason: text(REASON_MAX, 'Say why').min(1, 'Say why') }),
    replies: reviewed,
  },
})
