import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { insertAll, type ListedDemo } from '#database/demo/insert-listings.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { limitConcurrency } from '#domain/limit-concurrency.ts'

// Pictures of our own making, with their thumbnails beside them: nothing is computed at the first start.

/** A listing's own photo, or one that goes with a step of its sale. */
type DemoUploadKind = typeof uploadKinds.ListingMedia | typeof uploadKinds.ListingAsset

export type DemoPhoto = { id: string; upload_kind: DemoUploadKind; filename: string; image: Buffer; thumbnails: Record<number, Buffer> }
/** Puts the files of an upload where the server keeps such files; answers their keys. */
export type StorePhoto = (photo: DemoPhoto) => Promise<{ object_key: string; thumbnails: Record<string, string> }>

const WIDTHS = [320, 640]
const SIZE = { width: 880, height: 660 }
// files are flushed to the disk one by one: side by side they wait together
const AT_ONCE = 12

export async function insertDemoPhotos(client: pg.Client, listings: readonly ListedDemo[], store: StorePhoto): Promise<void> {
  const pictures = new Map<string, ReturnType<typeof readPicture>>()
  const wanted = listings.flatMap(({ id, sellerId, photos }) =>
    photos.map((name, nth) => ({ listing_id: id, sellerId, name, position: nth + 1, storage_object_id: randomUUID() })),
  )
  const { rows } = await client.query<{ now: Date }>('select app_now() as now')
  const limited = limitConcurrency({ atOnce: AT_ONCE })
  const write = async ({ storage_object_id: id, sellerId, name }: (typeof wanted)[number]) => {
    const picture = pictures.get(name) ?? readPicture(name)
    pictures.set(name, picture)
    const photo = { id, ownerId: sellerId, name, upload_kind: uploadKinds.ListingMedia, at: rows[0]?.now ?? new Date(NaN) }
    return storePicture(store, photo, await picture)
  }
  const objects = await Promise.all(wanted.map((photo) => limited(() => write(photo))))
  await insertAll(client, 'storage_objects', objects)
  await insertAll(
    client,
    'listing_media',
    wanted.map(({ listing_id, storage_object_id, position }) => ({ listing_id, storage_object_id, position })),
  )
}

type NewPhoto = { id: string; ownerId: string; name: string; upload_kind: DemoUploadKind; at: Date }

/** Stores a picture under its name; answers the row of the upload. */
export async function storePicture(
  store: StorePhoto,
  { id, ownerId, name, upload_kind, at }: NewPhoto,
  picture?: Awaited<ReturnType<typeof readPicture>>,
) {
  const { image, thumbnails } = picture ?? (await readPicture(name))
  const kept = await store({ id, upload_kind, filename: `${name}.jpg`, image, thumbnails })
  return { ...rowOf(id, ownerId, name, image, kept), upload_kind, reserved_at: at, ready_at: at }
}

const rowOf = (id: string, owner_id: string, name: string, image: Buffer, kept: Awaited<ReturnType<StorePhoto>>) => ({
  id,
  owner_id,
  filename: `${name}.jpg`,
  mime_type: 'image/jpeg',
  file_size: image.length,
  state: 'ready',
  ...kept,
  sha256: `\\x${createHash('sha256').update(image).digest('hex')}`,
  ...SIZE,
})

async function readPicture(name: string) {
  const read = (file: string) => readFile(new URL(`photos/${file}`, import.meta.url))
  const thumbnails: Record<number, Buffer> = {}
  for (const width of WIDTHS) thumbnails[width] = await read(`${name}.${width}.webp`)
  return { image: await read(`${name}.jpg`), thumbnails }
}
