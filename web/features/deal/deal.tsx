import { lazy, Suspense, type ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Amounts } from '#web/features/deal/amounts.tsx'
import { DealHeader } from '#web/features/deal/deal-header.tsx'
import { partyOf, turnOf } from '#web/features/deal/turn.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

// visitors and bidders never load the forms
const Actions = lazy(() => import('#web/features/deal/actions.tsx'))

type Props = {
  listing: Listing
  onDone: (listing: Listing) => void
  onRefused: () => void
  /** What the owner can do elsewhere, such as editing. */
  children?: ReactNode
}

/** Whose turn it is, what can be done, and what it comes to: for the parties alone. */
export function Deal({ listing, onDone, onRefused, children }: Props) {
  const party = partyOf(listing)
  const turn = party && turnOf(listing, party)
  const hasActions = listing.available_actions.length > 0 || Boolean(children)
  if (!hasActions && !turn && !listing.amounts) return null
  return (
    <section
      aria-label={party === 'buyer' ? 'Your purchase' : 'Your listing'}
      className={`grid gap-4 rounded-base border bg-surface p-4 ${turn?.isMine ? 'border-warning' : 'border-line'}`}
    >
      {party && <DealHeader listing={listing} party={party} />}
      {hasActions && (
        <Suspense fallback={<Skeleton className="h-11 w-full" />}>
          <Actions {...{ listing, onDone, onRefused }} isMyTurn={turn?.isMine ?? false}>
            {children}
          </Actions>
        </Suspense>
      )}
      {party && <Amounts listing={listing} party={party} />}
    </section>
  )
}
