import { buffer } from 'node:stream/consumers'
import { fileTypes } from '#contract/storage.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { keysOf } from '#server/features/storage/keys.ts'
import { findOwn, isLinked, lockOwn, markDeleted, type StorageObject } from '#server/features/storage/queries.ts'
import { refuseField } from '#server/http/errors.ts'
import type { FileStore } from '#server/providers/files.ts'

// A poster comes as an upload of its own and passes the same check as any photo; what the check made of it is then copied to
// the video, and the upload itself is done with. A poster that fails its check therefore costs the video nothing.

const FIELD = 'poster_storage_object_id'

export type Poster = { from: StorageObject; image: Buffer; thumbnails: { width: string; bytes: Buffer }[] }

/** What another's, a document, a video, a photo that is not ready or one that a listing holds have in common: it is no poster. */
export async function readPoster({ db, files }: { db: Db; files: FileStore }, video: StorageObject, id: string): Promise<Poster> {
  if (fileTypes[video.mime_type].is !== 'video') throw refuseField(FIELD, 'Only a video has a poster.')
  const from = await findOwn(db, video.owner_id, id)
  if (!from || !isPoster(from) || (await isLinked(db, id))) {
    throw refuseField(FIELD, 'This poster is not a photo of yours that is ready. Send another, or complete the video without one.')
  }
  const read = async (key: string) => buffer(await files.read(key))
  const thumbnails = []
  for (const [width, key] of Object.entries(from.thumbnails)) thumbnails.push({ width, bytes: await read(key) })
  return { from, image: await read(from.object_key ?? ''), thumbnails }
}

/** With the video made ready in the same transaction; the files go after its commit. A listing that took the photo meanwhile keeps it. */
export async function takeOver(tx: Tx, { from }: Poster): Promise<string[]> {
  const locked = await lockOwn(tx, from.owner_id, from.id)
  if (locked?.state !== 'ready' || (await isLinked(tx, from.id))) return []
  await markDeleted(tx, from.id)
  return keysOf(from)
}

const isPoster = ({ state, upload_kind, mime_type }: StorageObject) =>
  state === 'ready' && upload_kind === uploadKinds.ListingMedia && fileTypes[mime_type].is === 'image'
