import { Clock, Hourglass } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { Amounts } from '#web/features/sales/money/amounts.tsx'
import { nextStepOf } from '#web/features/sales/next-step.ts'
import { Stepper } from '#web/features/sales/stepper.tsx'
import { partyOf, turnWords, type Party, type TurnWords } from '#web/listing/turn.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

// visitors and bidders never load the forms
const Actions = lazyPart(() => import('#web/features/sales/actions/actions.tsx'))

type Props = {
  listing: Listing
  onDone: (listing: Listing) => void
  onRefused: () => void
  /** Actions that have a place of their own on the page, such as paying. */
  shownElsewhere?: readonly string[]
  /** What must be seen before something is done, such as the code or the amend. */
  before?: ReactNode
  /** What the owner can do elsewhere, such as editing. */
  children?: ReactNode
}

/** Whose turn it is, what can be done, and what it comes to: for the parties alone. */
export function Sale({ listing, onDone, onRefused, shownElsewhere = [], before, children }: Props) {
  const party = partyOf(listing)
  const turn = party && turnWords(listing)
  const actions = listing.available_actions.filter(({ action }) => !shownElsewhere.includes(action))
  const hasActions = actions.length > 0 || Boolean(children)
  if (!hasActions && !turn && !listing.amounts) return null
  return (
    <section
      aria-label={party === 'buyer' ? 'Your purchase' : 'Your listing'}
      className={`grid gap-4 rounded-base border bg-surface p-4 ${turn?.isMine ? 'border-warning' : 'border-line'}`}
    >
      {/* what follows has headings of its own */}
      <h2 className="sr-only">{party === 'buyer' ? 'Your purchase' : 'Your listing'}</h2>
      {party && <Header {...{ listing, party, turn }} />}
      {before}
      {hasActions && (
        <Suspense fallback={<Skeleton className="h-13 w-full" />}>
          {/* what is shown elsewhere is the next step itself: nothing beside it is big */}
          <Actions
            {...{ listing, actions, onDone, onRefused }}
            isMyTurn={(turn?.isMine ?? false) && actions.length === listing.available_actions.length}
          >
            {children}
          </Actions>
        </Suspense>
      )}
      {party && <Amounts listing={listing} party={party} />}
    </section>
  )
}

/** Whose turn it is and until when, what that means, and how far the sale has come. */
function Header({ listing, party, turn }: { listing: Listing; party: Party; turn: TurnWords | null }) {
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
      <Stepper listing={listing} />
    </>
  )
}
