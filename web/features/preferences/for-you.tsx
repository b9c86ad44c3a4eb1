import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Listing } from '#contract/listings.ts'
import { forYouQuery } from '#web/features/preferences/queries.ts'
import { useLiveListings } from '#web/live/listings.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'

type Props = { Card: ComponentType<{ listing: Listing; search: Record<string, string> }>; grid: string }

/** Listings that match the material preferences, ending soonest first; nothing while there are none. */
export function ForYou({ Card, grid }: Props) {
  const { data = [] } = useQuery(forYouQuery)
  useLiveListings(data.map(({ id }) => id))
  if (data.length === 0) return null
  return (
    <section aria-labelledby="for-you" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="for-you" className="text-20">
          Listings for you
        </h2>
        <PlaceLink to="account-material-preferences" className="link inline-flex min-h-11 items-center">
          Your materials
        </PlaceLink>
      </div>
      <div className="@container">
        <ul className={grid}>
          {data.map((listing) => (
            <li key={listing.id}>
              <Card listing={listing} search={{}} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
