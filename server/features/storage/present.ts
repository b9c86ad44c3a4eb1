import { fileTypes, STOCK_POSTER, type MediaItem } from '#contract/storage.ts'
import { storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { Role } from '#contract/values/permissions.ts'
import { isHidden, isVisible } from '#domain/listings/visibility.ts'
import { addressOf, posterName } from '#server/features/storage/keys.ts'
import type { StorageObject } from '#server/features/storage/queries.ts'

/** An upload that is ready, as SPEC §3 has it. Addresses are paths on our own origin. */
export function presentMediaItem(object: StorageObject): MediaItem {
  const address = (name: string) => `/files/${object.id}/${name}`
  const widths = Object.keys(object.thumbnails)
  const thumbnails = Object.fromEntries(widths.map((width) => [width, address(`${width}.webp`)]))
  return {
    id: object.id,
    storage_object_id: object.id,
    media_type: mediaTypeOf(object),
    media: { url: addressOf(object) },
    thumbnail_url: thumbnails[THUMBNAIL_SHOWN] ?? (isVideo(object) ? STOCK_POSTER : null),
    poster_url: object.poster_key ? address(posterName(object.poster_key)) : isVideo(object) ? STOCK_POSTER : null,
    thumbnails,
    width: object.width,
    height: object.height,
    file_type: object.mime_type,
    mime_type: object.mime_type,
    file_name: object.filename,
    asset_type: object.storage_object_kind,
  }
}

// a card in a list is about 320 px wide
const THUMBNAIL_SHOWN = '320'

const mediaTypes = { image: 'ListingImage', video: 'ListingVideo', document: 'ListingStorageObject' } as const

const mediaTypeOf = ({ upload_kind, mime_type }: StorageObject) =>
  upload_kind === uploadKinds.ListingMedia ? mediaTypes[fileTypes[mime_type].is] : 'ListingStorageObject'

const isVideo = ({ mime_type }: StorageObject) => fileTypes[mime_type].is === 'video'

export const isPublic = ({ upload_kind }: Pick<StorageObject, 'upload_kind'>) => upload_kind === uploadKinds.ListingMedia

/** A listing that holds a file, as the fetcher stands to it. */
export type Holder = { status: ListingStatus; isOwner: boolean; isBidder: boolean }

/** The sale that a document is a paper of, as the fetcher stands to it. */
export type SaleOfFile = { isParty: boolean }

/** The conversation that a photo was sent in, as the fetcher stands to it. */
export type ConversationOfFile = { isParticipant: boolean }

type FileHolders = { holders: readonly Holder[]; sale: SaleOfFile | undefined; conversation: ConversationOfFile | undefined }

type Fetcher = { id: string; role: Role | null } | null

/**
 * Who may fetch a file: for a photo of a conversation its participants, and the back office; for listing media, those who see one of the listings that hold it, and the back office; for a document its
 * owner; for a merchant document also the back office, which checks it; for a paper of a sale both parties of that sale, and the back
 * office (domain/papers/upload-places.ts).
 */
export const mayFetch = (object: StorageObject, viewer: Fetcher, { holders, sale, conversation }: FileHolders) =>
  conversation
    ? conversation.isParticipant || isStaff(viewer)
    : (isPublic(object) && (isStaff(viewer) || isShown(holders) || holders.some((holder) => isVisible(holder.status, holder)))) ||
      object.owner_id === viewer?.id ||
      sale?.isParty === true ||
      ((sale !== undefined || isMerchantDocument(object)) && isStaff(viewer))

const isStaff = (viewer: Fetcher) => viewer !== null && viewer.role !== null

const isMerchantDocument = ({ storage_object_kind }: StorageObject) => storage_object_kind === storageObjectKinds.MerchantDocument

/** Whether everybody sees it. An upload that no listing holds yet is known by its address alone. */
export const isShown = (holders: readonly Holder[]) => holders.length === 0 || holders.some(({ status }) => !isHidden(status))

/** What is public never changes under its address, but may have to go: ten minutes later it has. What is private stays in no cache. */
export const cacheRule = (object: Pick<StorageObject, 'upload_kind'>) => (isPublic(object) ? 'public, max-age=600' : NO_STORE)

export const NO_STORE = 'private, no-store'

/** Images and videos are shown, documents are saved: nothing that somebody uploaded opens as a page. */
export function dispositionOf({ mime_type, filename }: Pick<StorageObject, 'mime_type' | 'filename'>): string {
  const how = fileTypes[mime_type].is === 'document' ? 'attachment' : 'inline'
  const plain = filename.replace(/[^\w .()-]/g, '_')
  const full = encodeURIComponent(filename).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${how}; filename="${plain}"; filename*=UTF-8''${full}`
}
