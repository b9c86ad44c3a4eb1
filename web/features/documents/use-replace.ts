import { useState } from 'react'
import type { MerchantDocument } from '#contract/documents.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { ApiError } from '#web/api/api-error.ts'
import { notify, sayError, saySuccess } from '#web/api/notices.ts'
import { isLapsed } from '#web/features/documents/document-words.ts'
import { keptAs, saveDocuments } from '#web/features/documents/queries.ts'
import { uploadFile } from '#web/upload/upload-file.ts'

/** A new file in the place of an old one, with what was said of it; the end of one that has expired is not said again. */
export function useReplace(documents: readonly MerchantDocument[], serverTime: string) {
  const [replacing, setReplacing] = useState<{ id: string; progress: number }>()

  async function replace(old: MerchantDocument, file: File): Promise<void> {
    const { id, kind, number, council, expires_at } = old
    setReplacing({ id, progress: 0 })
    try {
      const { storage_object_id } = await uploadFile(file, {
        signal: new AbortController().signal,
        kind: storageObjectKinds.MerchantDocument,
        onProgress: (progress) => setReplacing({ id, progress }),
      })
      const next = { storage_object_id, kind, number, council, expires_at: isLapsed(old, serverTime) ? null : expires_at }
      saySuccess(await saveDocuments([...documents.filter((document) => document !== old).flatMap(keptAs), next]))
    } catch (error) {
      const reason = error instanceof ApiError && Object.values(error.errors)[0]?.[0]
      if (reason) notify({ type: 'danger', title: `${file.name} was not uploaded`, body: reason })
      else sayError(error, () => void replace(old, file))
    } finally {
      setReplacing(undefined)
    }
  }

  return { replacing, replace }
}
