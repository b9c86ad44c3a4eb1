import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { refetchOwnListings } from '#web/features/sell/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** RULES §3: the server says whether it is still allowed. */
export function Withdraw({ listing: { id, title }, onWithdrawn }: { listing: Listing; onWithdrawn: (listing: Listing) => void }) {
  const [isAsking, setIsAsking] = useState(false)
  const [isSending, setIsSending] = useState(false)

  const withdraw = async () => {
    setIsSending(true)
    try {
      const { data } = await call('DELETE /api/v1/listings/{id}', { params: { id } })
      onWithdrawn(data)
      saySuccess('Withdrawn', title)
    } catch (error) {
      sayError(error)
    } finally {
      setIsAsking(false)
      setIsSending(false)
      void refetchOwnListings()
    }
  }

  return (
    <>
      <Button kind="quiet" className="-mx-4" aria-label={`Withdraw ${title}`} onClick={() => setIsAsking(true)}>
        Withdraw
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm="Withdraw"
          cancel="Cancel"
          isLoading={isSending}
          onConfirm={() => void withdraw()}
          onCancel={() => setIsAsking(false)}
        >
          <p>“{title}” leaves the list at once, and nobody can bid on it any more.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
