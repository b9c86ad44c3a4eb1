import { Bell, BellOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SearchFilter } from '#contract/search.ts'
import type { SavedSearch } from '#contract/saved-searches.ts'
import { sentences } from '#contract/values/sentences.ts'
import { messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { keepSaved, useSavedSearches } from '#web/features/saved-searches/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Props = { onUse: (filter: SearchFilter) => void; onClose: () => void }

export function SavedList({ onUse, onClose }: Props) {
  return (
    <Dialog title="Saved searches" onDismiss={onClose}>
      <Shown onUse={onUse} />
      <Button kind="plain" onClick={onClose} className="justify-self-end max-md:justify-self-stretch">
        Close
      </Button>
    </Dialog>
  )
}

function Shown({ onUse }: Pick<Props, 'onUse'>) {
  const { data, error, refetch, isFetching } = useSavedSearches()
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => refetch()} isRetrying={isFetching} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (data.length === 0)
    return <p className="text-muted">Nothing saved yet. Narrow the list, then save the search to be told of new listings.</p>
  return (
    <ul className="max-h-[60dvh] overflow-y-auto border-y border-line">
      {data.map((saved) => (
        <Row key={saved.id} saved={saved} onUse={onUse} />
      ))}
    </ul>
  )
}

function Row({ saved: { id, name, filter, alerts }, onUse }: { saved: SavedSearch } & Pick<Props, 'onUse'>) {
  const [isAsking, setIsAsking] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const Alerts = alerts ? Bell : BellOff

  const forget = async () => {
    setIsSending(true)
    try {
      await call('DELETE /api/v1/saved-searches/{id}', { params: { id } })
      keepSaved((others) => others.filter((other) => other.id !== id))
    } catch (error) {
      sayError(error)
      setIsSending(false)
      setIsAsking(false)
    }
  }

  return (
    <li className="flex items-center gap-1 border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={() => onUse(filter)}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-2 text-left hover:text-primary"
      >
        <Alerts className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <span className="truncate font-strong">{name}</span>
        <span className="sr-only">{alerts ? ', with email alerts' : ', without alerts'}</span>
      </button>
      <Button kind="quiet" aria-label={`Delete ${name}`} onClick={() => setIsAsking(true)} className="px-3">
        <Trash2 className="size-4" aria-hidden="true" />
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm="Delete"
          cancel="Cancel"
          isLoading={isSending}
          onConfirm={() => void forget()}
          onCancel={() => setIsAsking(false)}
        >
          <p>“{name}” is forgotten, and its alerts stop.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
