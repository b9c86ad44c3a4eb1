import { fileTypeOf, fileTypes, type UploadRequest } from '#contract/storage.ts'
import { storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'
import { displayName } from '#domain/file-name.ts'
import { fairQueue } from '#domain/fair-queue.ts'
import type { Db } from '#server/db/db.ts'
import { incomplete, keep } from '#server/features/storage/keep.ts'
import { incomingKey, keysOf } from '#server/features/storage/keys.ts'
import { readPoster, takeOver, type Poster } from '#server/features/storage/poster.ts'
import { findOwn, isLinked, lockOwn, markDeleted, markReady, markRejected, type StorageObject } from '#server/features/storage/queries.ts'
import { insertReservation } from '#server/features/storage/reservations.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { FileStore } from '#server/providers/files.ts'

export type StorageDeps = { db: Db; files: FileStore; readSetting: ReadSetting }

// long enough to begin with the last of ten files on a slow telephone; one that has begun may take longer
const UPLOAD_SECONDS = 15 * 60

const GIGABYTE = 1024 ** 3

const limitOf = { image: 'image_max_bytes', video: 'video_max_bytes', document: 'document_max_bytes' } as const

/** RULES §1. A listing's document takes the kind of the field that it is first used for. */
const defaultKind = {
  [uploadKinds.ListingMedia]: null,
  [uploadKinds.ListingAsset]: null,
  [uploadKinds.UserAsset]: storageObjectKinds.MerchantDocument,
} as const

export async function reserveUpload({ db, files, readSetting }: StorageDeps, ownerId: string, request: UploadRequest) {
  const type = fileTypeOf(request.mime_type)
  if (!type) throw refuseField('mime_type', 'This type of file is not accepted')
  const { is, extension } = fileTypes[type]
  const limit = await readSetting(db, limitOf[is])
  if (request.file_size > limit) throw refuseField('file_size', `This ${is} is too large: at most ${Math.floor(limit / 1024 / 1024)} MB`)
  const quota = await readSetting(db, 'upload_quota_bytes')
  const { id, expires_at } = await insertReservation(
    db,
    {
      owner_id: ownerId,
      upload_kind: request.type,
      storage_object_kind: request.storage_object_kind ?? defaultKind[request.type],
      filename: displayName(request.filename, extension),
      mime_type: type,
      file_size: request.file_size,
    },
    { openForSeconds: UPLOAD_SECONDS, refuseOver: quota, refuse: () => quotaUsed(quota) },
  )
  // signed as declared: the browser sends what it said, `image/jpg` included
  const terms = { contentType: request.mime_type, size: request.file_size, expiresAt: expires_at }
  const url = await files.signedPut(incomingKey(id), terms, UPLOAD_SECONDS)
  return { id, url, headers: { 'Content-Type': request.mime_type } }
}

const quotaUsed = (quota: number) =>
  refuse('conflict', `Your files would take up more than the ${inWords(quota)} that you have. Remove some that you no longer need.`, {
    code: 'upload_quota_used',
  })

const inWords = (bytes: number) =>
  bytes >= GIGABYTE ? `${Math.floor(bytes / GIGABYTE)} GB` : `${Math.max(1, Math.floor(bytes / 1024 / 1024))} MB`

// re-encoding takes a processor for a second and up to half a gigabyte: two at once leave room for the bids
const inTurn = fairQueue({
  atOnce: 2,
  // ten photos of a listing, their posters, and a second tab
  mostWaitingEach: 30,
  mostWaiting: 300,
  refuse: () => {
    throw refuse('unavailable', 'Many files are being checked. Please try again in a moment.', { retryAfterSeconds: 5 })
  },
})

/** A browser that has waited long enough asks again while the check still runs: the same check answers both. */
const underWay = new Map<string, Promise<StorageObject>>()

/** Checks and keeps what was uploaded, a video with its poster if it has one. Asked again, it answers the same. */
export async function completeUpload(deps: StorageDeps, ownerId: string, id: string, posterId?: string): Promise<StorageObject> {
  const settled = await settledUpload(deps.db, ownerId, id)
  if (settled) return settled
  const check = underWay.get(id) ?? checkInTurn(deps, ownerId, id, posterId).finally(() => underWay.delete(id))
  underWay.set(id, check)
  return check
}

const checkInTurn = ({ db, files }: StorageDeps, ownerId: string, id: string, posterId: string | undefined): Promise<StorageObject> =>
  inTurn(ownerId, async () => {
    // its turn may come after another process has settled it
    const object = await findOwn(db, ownerId, id)
    if (object?.state !== 'reserved' && object?.state !== 'uploaded') return (await settledUpload(db, ownerId, id)) ?? raced()
    const arrived = await files.head(incomingKey(id))
    if (!arrived) throw refuse('conflict', 'The file has not arrived yet. Upload it, then try again.', { code: 'not_uploaded' })
    // before the check: a poster that is refused leaves the video as it was, to be completed with another or without
    const poster = posterId ? await readPoster({ db, files }, object, posterId) : undefined
    try {
      if (arrived.size !== object.file_size) throw incomplete()
      return await keepAndMark(db, files, object, poster)
    } catch (error) {
      if (!(error instanceof Unacceptable)) throw error
      await markRejected(db, id, error.message)
      throw refuseField('file', error.message)
    } finally {
      await forgetSent(db, files, ownerId, id)
    }
  })

/** Nothing while it waits for its check. */
async function settledUpload(db: Db, ownerId: string, id: string): Promise<StorageObject | undefined> {
  const object = await findOwn(db, ownerId, id)
  if (!object || object.state === 'deleted') throw notFound()
  if (object.state === 'rejected') throw refuseField('file', object.rejection ?? 'This file could not be kept.')
  return object.state === 'ready' ? object : undefined
}

async function keepAndMark(db: Db, files: FileStore, object: StorageObject, poster: Poster | undefined): Promise<StorageObject> {
  const kept = await keep(files, object, poster)
  const done = await db.transaction().execute(async (tx) => {
    const ready = await markReady(tx, object.id, kept)
    return ready && { ready, leftOver: poster ? await takeOver(tx, poster) : [] }
  })
  for (const key of done?.leftOver ?? keysOf(kept)) await files.remove(key)
  if (done) return done.ready
  return (await settledUpload(db, object.owner_id, object.id)) ?? raced()
}

const raced = (): never => {
  throw refuse('conflict', 'This upload changed at the same moment. Please try again.')
}

/** The file in quarantine goes once it is decided; after a fault of ours it stays, and the check can be asked for again. */
async function forgetSent(db: Db, files: FileStore, ownerId: string, id: string): Promise<void> {
  const object = await findOwn(db, ownerId, id)
  if (object?.state !== 'reserved' && object?.state !== 'uploaded') await files.remove(incomingKey(id))
}

/** Removes an upload of one's own; a second time changes nothing. */
export async function deleteUpload({ db, files }: StorageDeps, ownerId: string, id: string): Promise<void> {
  const object = await db.transaction().execute(async (tx) => {
    const own = await lockOwn(tx, ownerId, id)
    if (!own) throw notFound()
    // what a listing or somebody's documents hold must not go from under them (INVARIANTS 50)
    if (await isLinked(tx, id)) throw refuse('conflict', 'This file is in use: take it out of the listing or the documents first.')
    if (own.state !== 'deleted') await markDeleted(tx, id)
    return own
  })
  // after the commit: a file without a row is swept, a row without its file would be a broken promise
  for (const key of [incomingKey(id), ...keysOf(object)]) await files.remove(key)
}
