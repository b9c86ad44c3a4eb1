import { Ban, Flag } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { OpenThread } from '#contract/people/chat.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { readChatAgain, type ChatPlace } from '#web/features/chat/queries.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const ReportForm = lazyPart(() => import('#web/features/chat/report-form.tsx'))

/** Block and report: small, and always there. */
export function Safety({ thread, place }: { thread: OpenThread; place: ChatPlace }) {
  const [open, setOpen] = useState<'block' | 'report' | null>(null)
  const { isBusy, run } = useOneAtATime()
  const { is_blocked, with: other } = thread
  const close = () => setOpen(null)

  const setBlock = (isWanted: boolean) =>
    run(async () => {
      try {
        await call(`${isWanted ? 'PUT' : 'DELETE'} /api/v1/users/{id}/block`, { params: { id: other.id } })
        await readChatAgain(place)
        saySuccess(isWanted ? `${other.company_name} is blocked` : `${other.company_name} is no longer blocked`)
      } catch (error) {
        sayError(error)
      }
      close()
    })

  return (
    <div className="flex shrink-0">
      {thread.id && (
        <Button kind="quiet" aria-label="Report" onClick={() => setOpen('report')} className="px-3">
          <Flag className="size-4" aria-hidden="true" />
          <span className="max-md:sr-only">Report</span>
        </Button>
      )}
      <Button
        kind="quiet"
        aria-label={is_blocked ? 'Unblock' : 'Block'}
        isLoading={isBusy && open === null}
        onClick={() => (is_blocked ? void setBlock(false) : setOpen('block'))}
        className="px-3"
      >
        <Ban className="size-4" aria-hidden="true" />
        <span className="max-md:sr-only">{is_blocked ? 'Unblock' : 'Block'}</span>
      </Button>
      {open === 'block' && (
        <ConfirmDialog
          title={`Block ${other.company_name}?`}
          confirm="Block"
          cancel="Cancel"
          isLoading={isBusy}
          onConfirm={() => void setBlock(true)}
          onCancel={close}
        >
          <p>
            Neither of you can write to the other, here or in the market, and they cannot bid on your listings. They are not told. You can
            take it back at any time.
          </p>
        </ConfirmDialog>
      )}
      {open === 'report' && thread.id && (
        <Suspense>
          <ReportForm about={{ type: 'chat', id: thread.id }} name={other.company_name} onDone={close} />
        </Suspense>
      )}
    </div>
  )
}
