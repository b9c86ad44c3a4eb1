import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type Props = {
  title: string
  children: ReactNode
  confirm: string
  cancel: string
  /** Of the button that confirms: what cannot be taken back is `danger`. */
  look?: 'danger' | 'primary'
  isLoading: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Cancel comes first in the order of focus: Enter by mistake destroys nothing. */
export function ConfirmDialog({ title, children, confirm, cancel, look = 'danger', isLoading, onConfirm, onCancel }: Props) {
  return (
    <Dialog title={title} role="alertdialog" onDismiss={onCancel}>
      <div className="text-muted">{children}</div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onCancel} disabled={isLoading} className="max-md:flex-auto">
          {cancel}
        </Button>
        <Button kind={look} onClick={onConfirm} isLoading={isLoading} className="max-md:flex-auto">
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
