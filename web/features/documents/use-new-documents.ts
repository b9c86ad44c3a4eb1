import { useEffect, type SyntheticEvent } from 'react'
import { useFieldArray } from 'react-hook-form'
import type { MerchantDocument } from '#contract/documents.ts'
import type { MediaItem } from '#contract/storage.ts'
import type { DocumentKind } from '#contract/values/document-kinds.ts'
import { MERCHANT_DOCUMENTS_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { saySuccess } from '#web/api/notices.ts'
import { keptAs, saveDocuments } from '#web/features/documents/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { useUploads } from '#web/upload/use-uploads.ts'

export type Details = { kind: DocumentKind; number: string; council: string; expires_at: string }
type NewDocument = Details & { item: MediaItem }

type Options = {
  userId: string
  saved: readonly MerchantDocument[]
  /** What a licence's fields start with. */
  said?: Partial<Details> | undefined
  /** Whether those that are there already are enough. */
  mayAddNone: boolean
  onSaved: () => void
}

/** Files that were picked, with what they are; sent together with those that are there already. */
export function useNewDocuments({ userId, saved, said, mayAddNone, onSaved }: Options) {
  const draft = `documents-${userId}`
  const kept = saved.flatMap(keptAs)
  const documentsForm = useForm<{ documents: NewDocument[] }>({
    defaultValues: readDraft(draft, { documents: [] }),
    problemOf: (key, message) => ({ name: fieldOf(key, kept.length), message }),
    send: async ({ documents }) => {
      const message = await saveDocuments([...kept, ...documents.map(bodyOf)])
      clear()
      clearDraft(draft)
      saySuccess(message)
      onSaved()
    },
  })
  const { form } = documentsForm
  const { replace } = useFieldArray({ control: form.control, name: 'documents' })
  const { clear, ...uploads } = useUploads({
    initial: form.getValues('documents').map(({ item }) => item),
    kind: storageObjectKinds.MerchantDocument,
    most: MERCHANT_DOCUMENTS_MAX,
    held: kept.length,
    onItems: (items) => {
      const known = new Map(form.getValues('documents').map((document) => [document.item.storage_object_id, document]))
      replace(items.map((item) => known.get(item.storage_object_id) ?? { ...empty, ...said, item }))
      form.clearErrors('documents')
    },
  })

  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draft, values) }), [form, draft])

  /** SPEC §5: at least one. */
  const whyNot = () => {
    if (uploads.isUnderWay) return 'Wait until every file is uploaded'
    const count = uploads.uploads.length + (mayAddNone ? saved.length : 0)
    return count === 0 ? sentences.fileCount(MERCHANT_DOCUMENTS_MAX) : undefined
  }
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    const message = whyNot()
    if (!message) return documentsForm.submit(event)
    event.preventDefault()
    form.setError('documents', { type: 'count', message })
  }
  return { ...documentsForm, ...uploads, submit }
}

export type NewDocuments = ReturnType<typeof useNewDocuments>

const empty: Details = { kind: 'scrap_dealer_licence', number: '', council: '', expires_at: '' }

const bodyOf = ({ item, kind, number, council, expires_at }: NewDocument) => ({
  storage_object_id: item.storage_object_id,
  kind,
  number,
  council,
  ...(expires_at && { expires_at }),
})

/** The server counts the documents that are there already first; a file that it does not take is told under its kind. */
function fieldOf(key: string, keptCount: number): string {
  const [, nth, field] = /^documents\.(\d+)\.(\w+)$/.exec(key) ?? []
  if (!nth || !field) return 'documents'
  return `documents.${Number(nth) - keptCount}.${field === 'storage_object_id' ? 'kind' : field}`
}
