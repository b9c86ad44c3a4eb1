import { parentPort } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { checkDocument } from '#server/features/storage/document-checks.ts'
import { Unacceptable } from '#server/features/storage/unacceptable.ts'

// One document after the other: the next is sent when this one is answered.
parentPort?.on('message', ({ bytes, type }: { bytes: Uint8Array; type: FileType }) => void check(bytes, type))

async function check(bytes: Uint8Array, type: FileType): Promise<void> {
  const reason = await checkDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Unacceptable) return error.message
      throw error
    },
  )
  parentPort?.postMessage(reason)
}
