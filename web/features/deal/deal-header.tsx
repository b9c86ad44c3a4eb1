import { Clock, Hourglass } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { nextStepOf } from '#web/features/deal/next-step.ts'
import { Stepper } from '#web/features/deal/stepper.tsx'
import { turnOf, type Party } from '#web/features/deal/turn.ts'

/** Whose turn it is and until when, what that means, and how far the sale has come. */
export function DealHeader({ listing, party }: { listing: Listing; party: Party }) {
  const turn = turnOf(listing, party)
  const next = nextStepOf(listing, party)
  const Icon = turn?.isMine ? Clock : Hourglass
  return (
    <>
      {turn && (
        <p
          role="status"
          className={`-mx-4 -mt-4 flex items-start gap-2 rounded-t-[5px] px-4 py-3 text-16 font-strong ${turn.isMine ? 'bg-warning-soft text-warning' : 'bg-sunken text-ink'}`}
        >
          <Icon className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
          <span>{turn.words}</span>
        </p>
      )}
      {next && <p className="text-16">{next}</p>}
      <Stepper status={listing.status.name} />
    </>
  )
}
