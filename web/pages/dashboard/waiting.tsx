import { useQuery } from '@tanstack/react-query'
import type { UserLite } from '#contract/account.ts'
import type { Listing } from '#contract/listings.ts'
import { messageOf } from '#web/api/api-error.ts'
import { VerifyEmailPrompt } from '#web/page/verify-email-prompt.tsx'
import { RowsSkeleton } from '#web/features/activity/listing-pages.tsx'
import { ListingRow, rowGrid } from '#web/features/activity/listing-row.tsx'
import { FEW, fewQuery } from '#web/features/activity/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { FailedState } from '#web/ui/state.tsx'

/** What the member has to do, selling and buying alike; the oldest end first, at most five. */
export function Waiting({ user }: { user: UserLite }) {
  const own = useQuery(fewQuery('my-listings', 'waiting'))
  const activity = useQuery(fewQuery('activity', 'waiting'))
  const error = own.error ?? activity.error
  const listings = [...(own.data?.data ?? []), ...(activity.data?.data ?? [])].toSorted(byTime).slice(0, FEW)
  const isPending = own.isPending || activity.isPending
  return (
    <section aria-labelledby="waiting" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="waiting" className="text-20">
          Waiting for you
        </h2>
        <div className="flex flex-wrap gap-x-4">
          <All to="my-listings" label="selling" count={own.data?.meta.counts['waiting']} />
          <All to="activity" label="buying" count={activity.data?.meta.counts['waiting']} />
        </div>
      </div>
      {!user.email_verified && <VerifyEmailPrompt email={user.email} />}
      {error ? (
        <FailedState message={messageOf(error)} onRetry={() => void Promise.all([own.refetch(), activity.refetch()])} />
      ) : isPending ? (
        <RowsSkeleton rows={2} />
      ) : listings.length === 0 ? (
        user.email_verified && (
          <p className="border-y border-line py-4 text-16 text-muted">Nothing. What you have to pay, send or answer comes here first.</p>
        )
      ) : (
        <div className="@container">
          <ul className={`border-y border-line ${rowGrid.list}`}>
            {listings.map((listing) => (
              <li key={listing.id} className={`border-t border-line first:border-t-0 ${rowGrid.item}`}>
                <ListingRow
                  listing={listing}
                  to={listing.is_owner ? 'my-listing' : 'activity-listing'}
                  search={{ group: 'waiting' }}
                  Title="h3"
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

const timeOf = ({ deadline, expires_at, created_at }: Listing) => Date.parse(deadline?.at ?? expires_at ?? created_at)
const byTime = (one: Listing, other: Listing) => timeOf(one) - timeOf(other)

function All({ to, label, count }: { to: 'my-listings' | 'activity'; label: string; count: number | undefined }) {
  if (!count) return null
  return (
    <PlaceLink to={to} search={{ group: 'waiting' }} className="link inline-flex min-h-11 items-center">
      All {count} {label}
    </PlaceLink>
  )
}
