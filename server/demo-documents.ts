import { createHash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { insertAll } from '#database/demo/insert-listings.ts'
import { storePicture } from '#database/demo/insert-photos.ts'
import { storeDemoDocument, storeDemoPhoto } from '#server/features/storage/demo-files.ts'
import type { FileStore } from '#server/providers/files.ts'

// Papers and photos that the parties of the demo's sales upload: stored and written down as an upload that passed its check is.

export type Uploading = { client: pg.Client; files: FileStore; ownerId: string; now: Date }

/** Answers the upload's id. */
export async function uploadDemoPhoto({ client, files, ownerId, now }: Uploading, name: string): Promise<string> {
  const photo = { id: randomUUID(), ownerId, name, upload_kind: uploadKinds.ListingAsset, at: now }
  await insertAll(client, 'storage_objects', [await storePicture(storeDemoPhoto(files), photo)])
  return photo.id
}

/** Answers the upload's id. */
export async function uploadDemoPaper(
  { client, files, ownerId, now }: Uploading,
  { paper, lines }: { paper: string; lines: readonly string[] },
): Promise<string> {
  const content = await drawPaper(paper, lines)
  const document = {
    id: randomUUID(),
    filename: `${paper.toLowerCase().replaceAll(' ', '-')}.pdf`,
    mime_type: 'application/pdf',
    content,
  } as const
  const object_key = await storeDemoDocument(files, document)
  const { id, filename, mime_type } = document
  const row = {
    id,
    owner_id: ownerId,
    upload_kind: uploadKinds.ListingAsset,
    filename,
    mime_type,
    file_size: content.length,
    state: 'ready',
    object_key,
    thumbnails: {},
    sha256: `\\x${createHash('sha256').update(content).digest('hex')}`,
    reserved_at: now,
    ready_at: now,
  }
  await insertAll(client, 'storage_objects', [row])
  return id
}

/** As a weighbridge's printer prints: one typeface, on a slip. */
async function drawPaper(title: string, lines: readonly string[]): Promise<Buffer> {
  // loaded for the first paper that is drawn, not at every start
  const { default: Pdf } = await import('pdfkit')
  const doc = new Pdf({ size: 'A5', layout: 'landscape', margin: 40, info: { Title: title }, lang: 'en-GB' })
  const whole = buffer(doc)
  doc.font('Courier-Bold').fontSize(18).text(title).moveDown()
  doc.font('Courier').fontSize(12)
  for (const line of lines) doc.text(line, { lineGap: 6 })
  doc.end()
  return whole
}
