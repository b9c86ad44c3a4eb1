import type { StorePhoto } from '#database/demo/insert-photos.ts'
import { mainName, readyFolder } from '#server/features/storage/keys.ts'
import { cacheRule, dispositionOf } from '#server/features/storage/present.ts'
import type { FileStore } from '#server/providers/files.ts'

/** Puts a picture of the demo where an upload that passed its check would be. */
export const storeDemoPhoto =
  (files: FileStore): StorePhoto =>
  async ({ id, upload_kind, filename, image, thumbnails }) => {
    const folder = readyFolder(id)
    const as = { mime_type: 'image/jpeg', filename, upload_kind } as const
    const write = async (name: string, content: Buffer, contentType: string) => {
      const key = `${folder}/${name}`
      await files.write(key, content, { contentType, size: content.length, disposition: dispositionOf(as), cacheControl: cacheRule(as) })
      return key
    }
    const kept: Record<string, string> = {}
    for (const [width, content] of Object.entries(thumbnails)) kept[width] = await write(`${width}.webp`, content, 'image/webp')
    return { object_key: await write(mainName(as), image, as.mime_type), thumbnails: kept }
  }

export type DemoDocument = { id: string; filename: string; mime_type: 'application/pdf'; content: Buffer }

/** Puts a document of the demo where an upload that passed its check would be. Answers its key. */
export async function storeDemoDocument(files: FileStore, { id, filename, mime_type, content }: DemoDocument): Promise<string> {
  const as = { mime_type, filename, upload_kind: 2 } as const
  const key = `${readyFolder(id)}/${mainName(as)}`
  const terms = { contentType: mime_type, size: content.length, disposition: dispositionOf(as), cacheControl: cacheRule(as) }
  await files.write(key, content, terms)
  return key
}
