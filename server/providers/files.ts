import path from 'node:path'
import type { Readable } from 'node:stream'
import { diskStore } from '#server/providers/files-disk.ts'
import type { S3Options } from '#server/providers/files-s3.ts'

export type UploadTerms = { contentType: string; size: number; expiresAt: Date }
/** How a store that answers browsers itself is to hand a file out. */
export type WrittenAs = { contentType: string; size: number; disposition: string; cacheControl: string }
export type Stored = { key: string; modifiedAt: Date }

/** Where files are. Keys are ours: letters, digits, `-`, `.` and `/`. */
export type FileStore = {
  /** Where a browser sends a file of exactly this type and size, until it expires. A store on our own origin answers a path. */
  signedPut(key: string, terms: UploadTerms, forSeconds: number): Promise<string>
  /** Where a browser fetches a file; null where we serve it ourselves. */
  signedGet: ((key: string, forSeconds: number) => Promise<string>) | null
  head(key: string): Promise<{ size: number } | undefined>
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** All of it or nothing. */
  write(key: string, content: Buffer | Readable, as: WrittenAs): Promise<void>
  /** A file that is not there is removed already. */
  remove(key: string): Promise<void>
  /** Up to so many files after a key, in the store's own order: the sweep walks through all of them in steps. */
  list(after: string, most: number): Promise<Stored[]>
  /** The origin that pages must be allowed to reach, when it is not ours. */
  origin: string | null
  /** How a store on our own origin takes what was sent to a signed address. */
  direct: DirectUploads | null
}

export type DirectUploads = {
  isSigned(key: string, terms: UploadTerms, signature: string): boolean
  /** False when the key is taken, or another is being sent to it: an address works once. */
  take(key: string, content: Readable, size: number): Promise<boolean>
}

/** S3 where it is configured, whose SDK is loaded there alone; the data folder otherwise. */
export async function fileStoreFor(config: { dataDir: string; s3: S3Options | '' | undefined }, secret: string): Promise<FileStore> {
  if (!config.s3) return diskStore({ folder: path.join(config.dataDir, 'files'), secret })
  const { s3Store } = await import('#server/providers/files-s3.ts')
  return s3Store(config.s3)
}
