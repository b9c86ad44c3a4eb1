import { useState } from 'react'
import type { MerchantDocument } from '#contract/documents.ts'
import { sentences } from '#contract/values/sentences.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { keptAs, saveDocuments } from '#web/features/documents/queries.ts'
import { SavedDocument } from '#web/features/documents/saved-document.tsx'
import { useReplace } from '#web/features/documents/use-replace.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type Props = { documents: readonly MerchantDocument[]; serverTime: string }

/** What was handed in and how far it has come, each to be replaced or removed. */
export function SavedDocuments({ documents, serverTime }: Props) {
  const [removing, setRemoving] = useState<MerchantDocument>()
  const [isSending, setIsSending] = useState(false)
  const { replacing, replace } = useReplace(documents, serverTime)

  const remove = async () => {
    setIsSending(true)
    try {
      saySuccess(await saveDocuments(documents.filter((document) => document !== removing).flatMap(keptAs)))
    } catch (error) {
      sayError(error, remove)
    } finally {
      setIsSending(false)
      setRemoving(undefined)
    }
  }

  return (
    <>
      <ul aria-label="Your documents">
        {documents.map((document) => (
          <SavedDocument
            key={document.id}
            {...{ document, serverTime }}
            progress={replacing?.id === document.id ? replacing.progress : undefined}
            isBusy={replacing !== undefined}
            onReplace={(file) => void replace(document, file)}
            onRemove={() => setRemoving(document)}
          />
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm="Delete"
          cancel="Cancel"
          isLoading={isSending}
          onConfirm={remove}
          onCancel={() => setRemoving(undefined)}
        >
          <p>
            {removing.file?.file_name} is removed.
            {removing.status === 'approved' && removing.kind === 'scrap_dealer_licence' && ' It no longer lets you bid on scrap.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
