import { parentPort } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { checkDocx } from '#server/features/storage/checks/docx.ts'
import { checkType } from '#server/features/storage/checks/file-type.ts'
import { checkPdf } from '#server/features/storage/checks/pdf.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

// One document after the other: the next is sent when this one is answered.
parentPort?.on('message', ({ bytes, type }: { bytes: Uint8Array; type: FileType }) => void check(bytes, type))
parentPort?.postMessage('ready')

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

const checks: Partial<Record<FileType, (bytes: Buffer) => void>> = {
  'application/pdf': checkPdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': checkDocx,
}

/** Throws what is wrong with a document. The structure comes first: a bomb must not reach a reader that unpacks. */
async function checkDocument(bytes: Buffer, type: FileType): Promise<void> {
  checks[type]?.(bytes)
  await checkType(bytes, type)
}
