import { fileTypeFromBuffer } from 'file-type'
import { fileTypes, type FileType } from '#contract/storage.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

/** As much of a file's beginning as tells a video. */
export const HEAD_BYTES = 4_100

// file-type's names for the two program streams of MPEG
const alsoCalled: Record<string, FileType> = { 'video/MP1S': 'video/mpeg', 'video/MP2P': 'video/mpeg' }

/** Refuses a file whose bytes are not what its type says; the name it came with counts for nothing. */
export async function checkType(bytes: Uint8Array, declared: FileType): Promise<void> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  const found = mime && (alsoCalled[mime] ?? mime)
  if (found === declared) return
  const name = fileTypes[declared].extension.toUpperCase()
  throw new Unacceptable(`This file is not a ${name}, whatever its name says. Choose the original file and try again.`)
}
