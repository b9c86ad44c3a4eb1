import { sentences } from '#contract/values/sentences.ts'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type Props = {
  label: string
  kind: 'danger' | 'primary'
  meaning: string | undefined
  isSending: boolean
  refusal?: string | undefined
  onConfirm: () => void
  onCancel: () => void
}

/** Cancel comes first in the order of focus: Enter by mistake does nothing. */
export function Confirm({ label, kind, meaning, isSending, refusal, onConfirm, onCancel }: Props) {
  return (
    <Dialog title={kind === 'danger' ? sentences.confirmTitle : `${label}?`} role="alertdialog" onDismiss={onCancel}>
      {meaning && <p className="text-16">{meaning}</p>}
      <Refusal says={refusal} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onCancel} disabled={isSending} className="max-md:flex-auto">
          Cancel
        </Button>
        <Button kind={kind} onClick={onConfirm} isLoading={isSending} className="max-md:flex-auto">
          {label}
        </Button>
      </div>
    </Dialog>
  )
}

/** Why the step was not taken, or that its answer is late, announced when it comes. */
export function Refusal({ says }: { says: string | undefined }) {
  return (
    <>
      <StillWaiting />
      <div aria-live="polite" className="empty:hidden">
        {says && (
          <Callout look="danger" title="Not done">
            <p>{says}</p>
          </Callout>
        )}
      </div>
    </>
  )
}
