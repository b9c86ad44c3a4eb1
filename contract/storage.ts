import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { text } from '#contract/fields.ts'
import { mediaKinds, storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'

/** What may be uploaded: type → what it is, and the ending of its name. */
export const fileTypes = {
  'image/jpeg': { is: 'image', extension: 'jpg' },
  'image/png': { is: 'image', extension: 'png' },
  'image/gif': { is: 'image', extension: 'gif' },
  'video/mp4': { is: 'video', extension: 'mp4' },
  'video/mpeg': { is: 'video', extension: 'mpeg' },
  'application/pdf': { is: 'document', extension: 'pdf' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { is: 'document', extension: 'docx' },
} as const satisfies Record<string, { is: 'image' | 'video' | 'document'; extension: string }>

export type FileType = keyof typeof fileTypes

const ofMedia: FileType[] = ['image/jpeg', 'image/png', 'image/gif', 'video/mp4', 'video/mpeg']
const ofDocuments: FileType[] = [
  'image/jpeg',
  'image/png',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]

/** SPEC §5, by upload kind. */
export const accepted = {
  1: { types: ofMedia, message: 'Choose a photo (JPEG, PNG or GIF) or a video (MP4 or MPEG)' },
  2: { types: ofDocuments, message: 'Choose a photo (JPEG or PNG), a PDF or a Word document (DOCX)' },
  3: { types: ofDocuments, message: 'Choose a photo (JPEG or PNG), a PDF or a Word document (DOCX)' },
} as const satisfies Record<UploadKind, { types: FileType[]; message: string }>

export type UploadKind = (typeof uploadKinds)[keyof typeof uploadKinds]

/** `image/jpg` is what some phones call `image/jpeg`. */
export const fileTypeOf = (mimeType: string): FileType | undefined => {
  const type = mimeType === 'image/jpg' ? 'image/jpeg' : mimeType
  return type in fileTypes ? (type as FileType) : undefined
}

const isAccepted = ({ type, mime_type }: { type: UploadKind; mime_type: string }) => {
  const fileType = fileTypeOf(mime_type)
  return fileType !== undefined && accepted[type].types.includes(fileType)
}

// longer than any name that a phone or computer makes; what is shown is shortened further
const FILENAME_MAX = 1_000

export const uploadRequest = z
  .strictObject({
    filename: text(FILENAME_MAX, 'File name is required').min(1, 'File name is required'),
    mime_type: text(200, 'File type is required').toLowerCase(),
    file_size: z.int('File size is a whole number of bytes').min(1, 'This file is empty'),
    type: z.literal(Object.values(uploadKinds), 'Say what the upload is for: 1 listing media, 2 listing asset, 3 user asset'),
    /** SPEC §3 has none: a user's document is then a merchant document, a listing's takes that of the field it is first used for. */
    storage_object_kind: z.literal(Object.values(storageObjectKinds), 'Say what the document is').nullish(),
  })
  .superRefine((body, context) => {
    if (!isAccepted(body)) context.addIssue({ code: 'custom', path: ['mime_type'], message: accepted[body.type].message })
    if (body.type === uploadKinds.ListingMedia && body.storage_object_kind != null) {
      context.addIssue({ code: 'custom', path: ['storage_object_kind'], message: 'Listing media is not a document' })
    }
  })
export type UploadRequest = z.output<typeof uploadRequest>

/** SPEC §3: the uploaded media item. */
export const mediaItem = z
  .object({
    /** The same as `storage_object_id`: one upload is one item. */
    id: z.string(),
    storage_object_id: z.string(),
    media_type: z.enum(mediaKinds),
    media: z.object({ url: z.string() }),
    /** Of a video its poster; the stock poster where it has none. None for a document. */
    thumbnail_url: z.string().nullable(),
    /** width → address, for `srcset`; none for a document or a video without a poster of its own. */
    thumbnails: z.record(z.string(), z.string()),
    /** Of a video: the poster at its full size. */
    poster_url: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    file_type: z.string(),
    mime_type: z.string(),
    file_name: z.string(),
    asset_type: z.int().nullable(),
  })
  .meta({ id: 'MediaItem' })
export type MediaItem = z.output<typeof mediaItem>

/** What stands for a video that the seller's browser could not decode; a picture of our own, in web/public. */
export const STOCK_POSTER = '/video-poster.svg'

export const completion = z
  .strictObject({
    /** A photo of the caller's own, uploaded and completed before (type 1): it becomes the poster of the video. */
    poster_storage_object_id: z.uuid('This is not the id of an upload').optional(),
  })
  .nullish()

const params = z.object({ id: z.uuid('This is not the id of an upload') })

export const storageEndpoints = endpoints({
  'POST /api/v1/storage-object': {
    summary: 'Reserve an upload; PUT the file to upload_url with upload_headers, then complete it',
    access: 'member',
    body: uploadRequest,
    replies: {
      201: z.object({
        data: z.object({ upload_url: z.string(), storage_object_id: z.string(), upload_headers: z.record(z.string(), z.string()) }),
      }),
    },
  },
  'POST /api/v1/storage-object/{id}/complete': {
    summary: 'Check what was uploaded and keep it; 422 says why a file cannot be kept',
    access: 'member',
    params,
    body: completion,
    replies: { 200: z.object({ data: mediaItem }) },
  },
  'DELETE /api/v1/storage-object/{id}/': { summary: 'Remove an upload of your own', access: 'member', params, replies: { 204: null } },
})
