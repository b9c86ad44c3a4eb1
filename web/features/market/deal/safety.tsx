import { Ban, Flag } from 'lucide-react'
import { Suspense, useState, type ComponentType } from 'react'
import type { Conversation } from '#contract/market/conversations.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { readMarketAgain } from '#web/features/market/data/queries.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

export type ReportFormProps = { about: { type: 'enquiry' | 'enquiry_conversation'; id: string }; name: string; onDone: () => void }

type Props = { conversation: Conversation; ReportForm: ComponentType<ReportFormProps> }

/** Block and report: small, and always there. */
export function Safety({ conversation: { id, with: other, has_blocked }, ReportForm }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useOneAtATime()
  const setBlock = (isWanted: boolean) =>
    run(async () => {
      try {
        await call(`${isWanted ? 'PUT' : 'DELETE'} /api/v1/users/{id}/block`, { params: { id: other.id } })
        await readMarketAgain()
        saySuccess(isWanted ? `${other.company_name} is blocked` : `${other.company_name} is no longer blocked`)
      } catch (error) {
        sayError(error)
      }
      setIsAsking(false)
    })
  return (
    <div className="flex shrink-0">
      <Report about={{ type: 'enquiry_conversation', id }} name={other.company_name} ReportForm={ReportForm} />
      <Button
        kind="quiet"
        aria-label={has_blocked ? 'Unblock' : 'Block'}
        isLoading={isBusy && !isAsking}
        onClick={() => (has_blocked ? void setBlock(false) : setIsAsking(true))}
        className="px-3"
      >
        <Ban className="size-4" aria-hidden="true" />
        <span className="max-md:sr-only">{has_blocked ? 'Unblock' : 'Block'}</span>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Block ${other.company_name}?`}
          confirm="Block"
          cancel="Cancel"
          isLoading={isBusy}
          onConfirm={() => void setBlock(true)}
          onCancel={() => setIsAsking(false)}
        >
          <p>Neither of you can write to the other or make offers, here or in chat. They are not told. You can take it back at any time.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

type ReportProps = Omit<ReportFormProps, 'onDone'> & { ReportForm: ComponentType<ReportFormProps> }

export function Report({ ReportForm, ...about }: ReportProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" aria-label="Report" onClick={() => setIsOpen(true)} className="px-3">
        <Flag className="size-4" aria-hidden="true" />
        <span className="max-md:sr-only">Report</span>
      </Button>
      {isOpen && (
        <Suspense>
          <ReportForm {...about} onDone={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
