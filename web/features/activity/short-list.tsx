import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import type { Place } from '#contract/values/places.ts'
import { formatPrice } from '#domain/format.ts'
import { Countdown } from '#web/cards/countdown.tsx'
import { bidsInWords } from '#web/cards/words.ts'
import { RowsSkeleton } from '#web/features/activity/listing-pages.tsx'
import { Thumbnail, TurnLine } from '#web/features/activity/listing-row.tsx'
import type { fewQuery, Side } from '#web/features/activity/queries.ts'
import { useLiveListings } from '#web/live/listings.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'

type Props = {
  title: string
  side: Side
  group: string
  query: ReturnType<typeof fewQuery>
  /** Drawn beside each, where there is room. */
  Beside?: ComponentType<{ listing: Listing }>
  /** Said when there is none; without it the list is left out then. */
  nothing?: ReactNode
}

/** The first few of a group, in short. A list that does not load is left out: the page of the group says why. */
export function ShortList({ title, side, group, query, Beside, nothing }: Props) {
  const { data, isError } = useQuery(query)
  useLiveListings(data?.data.map(({ id }) => id) ?? [])
  const place: Place = side === 'activity' ? 'activity-listing' : 'my-listing'
  const count = data?.meta.counts[group] ?? 0
  if (isError || (!nothing && data?.data.length === 0)) return null
  return (
    <section aria-labelledby={`few-${group}`} className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={`few-${group}`} className="text-20">
          {title}
        </h2>
        {count > 0 && (
          <PlaceLink to={side} search={{ group }} className="link inline-flex min-h-11 items-center">
            All {count}
          </PlaceLink>
        )}
      </div>
      {!data ? (
        <RowsSkeleton rows={2} />
      ) : data.data.length === 0 ? (
        <p className="border-y border-line py-4 text-muted">{nothing}</p>
      ) : (
        <ul className="@container border-y border-line">
          {data.data.map((listing) => (
            <li key={listing.id} className="border-t border-line first:border-t-0">
              <ShortRow listing={listing} to={place} search={{ group }} beside={Beside && <Beside listing={listing} />} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type RowProps = { listing: Listing; to: Place; search: Record<string, string>; beside: ReactNode }

function ShortRow({ listing, to, search, beside }: RowProps) {
  const { id, title, current_price, price_basis, bid_count, expires_at } = listing
  return (
    <PlaceLink
      to={to}
      params={{ id }}
      search={search}
      className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-3 py-2 -outline-offset-2 hover:bg-sunken/60 @2xl:grid-cols-[3.5rem_minmax(0,1fr)_auto_9rem]"
    >
      <Thumbnail listing={listing} className="rounded-base" />
      <div className="grid min-w-0 gap-1">
        <h3 className="line-clamp-2 leading-5">{title}</h3>
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-muted">
          <TurnLine listing={listing} />
          <span className="whitespace-nowrap">{bidsInWords(bid_count)}</span>
        </div>
      </div>
      {beside && <div className="@max-2xl:hidden">{beside}</div>}
      <div className="col-end-[-1] grid justify-items-end">
        <span className="tabular text-20 font-strong whitespace-nowrap">{formatPrice(current_price.value, price_basis)}</span>
        {expires_at && <Countdown expires_at={expires_at} className="text-14" />}
      </div>
    </PlaceLink>
  )
}
