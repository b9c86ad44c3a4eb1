import type { FileType } from '#contract/storage.ts'
import { checkDocx } from '#server/features/storage/docx.ts'
import { checkPdf } from '#server/features/storage/pdf.ts'
import { checkType } from '#server/features/storage/sniff.ts'

const checks: Partial<Record<FileType, (bytes: Buffer) => void>> = {
  'application/pdf': checkPdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': checkDocx,
}

/** Throws what is wrong with a document. The structure comes first: a bomb must not reach a reader that unpacks. */
export async function checkDocument(bytes: Buffer, type: FileType): Promise<void> {
  checks[type]?.(bytes)
  await checkType(bytes, type)
}
