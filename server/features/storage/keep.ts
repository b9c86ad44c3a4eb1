import { createHash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileTypes } from '#contract/storage.ts'
import { inspectDocument } from '#server/features/storage/checks/inspect-document.ts'
import { remakeImage } from '#server/features/storage/checks/images.ts'
import { applyPatches, metadataPatches } from '#server/features/storage/checks/video-metadata.ts'
import { incomingKey, mainName, readyFolder } from '#server/features/storage/keys.ts'
import type { Poster } from '#server/features/storage/poster.ts'
import { cacheRule, dispositionOf } from '#server/features/storage/present.ts'
import type { StorageObject } from '#server/features/storage/queries.ts'
import { checkType, HEAD_BYTES } from '#server/features/storage/checks/file-type.ts'
import { checkVideo } from '#server/features/storage/checks/video.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'
import type { FileStore } from '#server/providers/files.ts'

export type StoredFiles = {
  object_key: string
  sha256: Buffer
  width: number | null
  height: number | null
  thumbnails: Record<string, string>
  poster_key: string | null
}

/**
 * Takes a file out of quarantine: checked, made anew where it is an image, and written under keys of its own. What was sent is
 * read once, so what was checked is what is kept, even if somebody sends to the same address again in between.
 */
export async function keep(files: FileStore, object: StorageObject, poster?: Poster): Promise<StoredFiles> {
  const folder = readyFolder(object.id)
  const written: string[] = []
  const write: Write = async (name, content, { contentType = object.mime_type, size }) => {
    const key = `${folder}/${name}`
    written.push(key)
    await files.write(key, content, { contentType, size, disposition: dispositionOf(object), cacheControl: cacheRule(object) })
    return key
  }
  try {
    const kept = await keepers[fileTypes[object.mime_type].is](files, object, write)
    return { ...bare, ...kept, ...(poster && (await keepPoster(poster, write))) }
  } catch (error) {
    for (const key of written) await files.remove(key)
    throw error
  }
}

type Write = (name: string, content: Buffer | Readable, as: { contentType?: string; size: number }) => Promise<string>
type Keeper = (
  files: FileStore,
  object: StorageObject,
  write: Write,
) => Promise<Pick<StoredFiles, 'object_key' | 'sha256'> & Partial<StoredFiles>>

const bare = { width: null, height: null, thumbnails: {}, poster_key: null }

const keepers: Record<'image' | 'video' | 'document', Keeper> = {
  async image(files, object, write) {
    const sent = await readAll(files, object)
    await checkType(sent, object.mime_type)
    const made = await remakeImage(sent, object.mime_type)
    const thumbnails = await keepThumbnails(made.thumbnails, write)
    const object_key = await write(mainName(object), made.bytes, { size: made.bytes.length })
    return { object_key, sha256: sha256(made.bytes), width: made.width, height: made.height, thumbnails }
  },

  async document(files, object, write) {
    const sent = await readAll(files, object)
    await inspectDocument(sent, object.mime_type)
    const object_key = await write(mainName(object), sent, { size: sent.length })
    return { object_key, sha256: sha256(sent) }
  },

  /** Up to 200 MB: from store to store in small pieces, looked at, cleared of metadata and hashed on the way. */
  async video(files, object, write) {
    const read = () => files.read(incomingKey(object.id))
    await checkType(await firstBytes(await read()), object.mime_type)
    // an MPEG program stream has no place for it
    const patches = object.mime_type === 'video/mp4' ? await metadataPatches(await read(), object.file_size) : []
    const hash = createHash('sha256')
    const check = checkVideo(object.mime_type)
    const onTheWay = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        check.look(chunk)
        hash.update(chunk)
        done(null, chunk)
      },
    })
    // what ends one end early ends the other: the write then fails, which is where it is seen
    const sent = pipeline(await read(), applyPatches(patches), onTheWay, () => undefined)
    const object_key = await write(mainName(object), sent, { size: object.file_size })
    check.end()
    return { object_key, sha256: hash.digest() }
  },
}

async function keepPoster({ from, image, thumbnails }: Poster, write: Write): Promise<Pick<StoredFiles, 'thumbnails' | 'poster_key'>> {
  const poster_key = await write(`poster.${fileTypes[from.mime_type].extension}`, image, {
    contentType: from.mime_type,
    size: image.length,
  })
  return { poster_key, thumbnails: await keepThumbnails(thumbnails, write) }
}

async function keepThumbnails(
  thumbnails: readonly { width: string | number; bytes: Buffer }[],
  write: Write,
): Promise<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const { width, bytes } of thumbnails) {
    keys[width] = await write(`${width}.webp`, bytes, { contentType: 'image/webp', size: bytes.length })
  }
  return keys
}

/** Images and documents are at most 20 MB (RULES §8): the size was checked before they are read whole. */
async function readAll(files: FileStore, object: StorageObject): Promise<Buffer> {
  const sent = await buffer(await files.read(incomingKey(object.id)))
  if (sent.length !== object.file_size) throw incomplete()
  return sent
}

export const incomplete = () => new Unacceptable('Only a part of this file arrived. Upload it again.')

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

async function firstBytes(sent: Readable): Promise<Buffer> {
  let head = Buffer.alloc(0)
  for await (const chunk of sent) {
    head = Buffer.concat([head, chunk as Buffer])
    if (head.length >= HEAD_BYTES) break
  }
  return head.subarray(0, HEAD_BYTES)
}
