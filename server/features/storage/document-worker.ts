import { parentPort, workerData } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { checkDocument } from '#server/features/storage/document-checks.ts'
import { Unacceptable } from '#server/features/storage/unacceptable.ts'

const { bytes, type } = workerData as { bytes: Uint8Array; type: FileType }

try {
  await checkDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  parentPort?.postMessage(null)
} catch (error) {
  if (!(error instanceof Unacceptable)) throw error
  parentPort?.postMessage(error.message)
}
