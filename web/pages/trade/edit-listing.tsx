import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { places } from '#contract/values/places.ts'
import { whyNotEdit } from '#domain/listings/may-edit.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { saySuccess } from '#web/api/notices.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { keepListing, useLiveListing } from '#web/features/listings/queries.ts'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { Page } from '#web/page/page.tsx'
import { Selling } from '#web/pages/trade/selling.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

/** RULES §3: before the first bid the owner may change everything. */
export default function EditListingPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <Page title="Edit listing" lead="Until the first bid you may change everything.">
      <Editing key={id} id={id} />
    </Page>
  )
}

function Editing({ id }: { id: string }) {
  const navigate = useNavigate()
  const { data, error, refetch, isFetching, isPlaceholderData } = useLiveListing(id)
  const [refusal, setRefusal] = useState<string>()
  // what is typed must not be replaced by what the server tells meanwhile
  const [opened, setOpened] = useState<typeof data>()
  if (data && !isPlaceholderData && !opened) setOpened(data)

  if (error instanceof ApiError && error.status === 404) return <NotEditable id={id} says="There is no such listing of yours." />
  if (error && !opened) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  if (!opened) return <FormSkeleton fields={6} />
  // a bid that came meanwhile is told at once, not when everything is typed
  const newest = data && !isPlaceholderData ? data : opened
  if (!newest.is_owner) return <NotEditable id={id} says="There is no such listing of yours." />
  if (refusal || !newest.can_edit) return <NotEditable id={id} says={refusal ?? whyNot(newest)} />
  return (
    <Selling
      edit={{ listing: opened, onTooLate: setRefusal }}
      onSent={(listing) => {
        keepListing(listing)
        saySuccess('Saved', listing.title)
        void navigate({ to: routePath(places['my-listing'].path), params: { id } })
      }}
    />
  )
}

const whyNot = ({ status, bid_count, expires_at }: Listing) =>
  whyNotEdit({ status: status.name, bid_count, expires_at: expires_at ? new Date(expires_at) : null }, serverNow()) ??
  'This listing can no longer be edited.'

function NotEditable({ id, says }: { id: string; says: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Callout look="warning" title="Not changed">
        <p>{says}</p>
      </Callout>
      <PlaceLink to="my-listing" params={{ id }} className={buttonLook('plain')}>
        Back to the listing
      </PlaceLink>
    </div>
  )
}
