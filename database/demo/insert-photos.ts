import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { insertAll, type ListedDemo } from '#database/demo/insert-listings.ts'

// Pictures of our own making, with their thumbnails beside them: nothing is computed at the first start.

export type DemoPhoto = { id: string; filename: string; image: Buffer; thumbnails: Record<number, Buffer> }
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
  const objects: object[] = []
  const queue = wanted.values()
  const work = async () => {
    for (const { storage_object_id: id, sellerId, name } of queue) {
      if (!pictures.has(name)) pictures.set(name, readPicture(name))
      const { image, thumbnails } = (await pictures.get(name)) as Awaited<ReturnType<typeof readPicture>>
      const kept = await store({ id, filename: `${name}.jpg`, image, thumbnails })
      objects.push({ ...rowOf(id, sellerId, name, image, kept), reserved_at: rows[0]?.now, ready_at: rows[0]?.now })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await insertAll(client, 'storage_objects', objects)
  await insertAll(
    client,
    'listing_media',
    wanted.map(({ listing_id, storage_object_id, position }) => ({ listing_id, storage_object_id, position })),
  )
}

const rowOf = (id: string, owner_id: string, name: string, image: Buffer, kept: Awaited<ReturnType<StorePhoto>>) => ({
  id,
  owner_id,
  upload_kind: 1,
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
