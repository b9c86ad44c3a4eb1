import { useLocation, useSearch } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { placeOf, type Place } from '#contract/values/places.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

type List = { to: Place; label: string }

const allListings: List = { to: 'listings', label: 'All listings' }
const lists: Partial<Record<Place, List>> = {
  'my-listing': { to: 'my-listings', label: 'My listings' },
  'activity-listing': { to: 'activity', label: 'Activity' },
}

/** Back on a phone, away on a wide screen, to the list that the listing was opened from; its filter or group stays. */
export function BackToList() {
  const isWide = useIsWide()
  const search = useSearch({ strict: false }) as Record<string, string>
  const place = useLocation({ select: ({ pathname }) => placeOf(pathname) })
  const { to, label } = (place && lists[place]) ?? allListings
  const Icon = isWide ? X : ArrowLeft
  return (
    <PlaceLink
      to={to}
      search={search}
      resetScroll={!isWide}
      className={buttonLook('quiet', isWide ? 'absolute -top-1 -right-4 z-10' : '-my-3 -ml-4 justify-self-start')}
    >
      <Icon className="size-4" aria-hidden="true" />
      {isWide ? 'Close' : label}
    </PlaceLink>
  )
}
