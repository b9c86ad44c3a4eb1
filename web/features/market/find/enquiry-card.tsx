import type { Enquiry } from '#contract/market/enquiries.ts'
import { formatWeight } from '#domain/format.ts'
import { ageInWords } from '#domain/market/age.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { Cover } from '#web/cards/cover.tsx'
import { milesInWords } from '#web/cards/words.ts'
import { availableInWords, statusWords } from '#web/features/market/data/words.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

export const enquiryGrid = 'grid gap-3 @3xl:grid-cols-2'

const frame = 'grid h-full grid-cols-[6.5rem_minmax(0,1fr)] rounded-base border border-line bg-surface @xl:grid-cols-[9rem_minmax(0,1fr)]'

/** The whole card is one link. `search` keeps the filter in the address. */
export function EnquiryCard({ enquiry, search }: { enquiry: Enquiry; search: Record<string, string> }) {
  const isWide = useIsWide()
  const { id, title, weight_kg, location, poster, offer_count, created_at, available_from, status, is_mine } = enquiry
  return (
    <PlaceLink
      to="market-listing"
      params={{ id }}
      search={search}
      resetScroll={!isWide}
      className={`${frame} hover:border-control aria-[current=page]:border-copper aria-[current=page]:ring-1 aria-[current=page]:ring-copper`}
    >
      <Cover listing={enquiry} sizes="9rem" className="aspect-auto h-full rounded-l-[5px]" />
      <div className="flex min-w-0 flex-col gap-1 p-3">
        <h2 dir="auto" className="line-clamp-2 text-16 leading-5 wrap-anywhere">
          {title}
        </h2>
        <p className="text-muted">
          {[location.town, location.post_code_district, location.distance_miles !== null && milesInWords(location.distance_miles)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="mt-auto flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="tabular text-20 font-strong whitespace-nowrap">
            {weight_kg === null ? 'Any weight' : formatWeight(weight_kg)}
          </span>
          <span className="text-muted whitespace-nowrap">{status === 'open' ? availableInWords(available_from) : statusWords[status]}</span>
        </p>
        <p className="flex flex-wrap justify-between gap-x-3 text-muted">
          <span className="min-w-0 truncate">{is_mine ? 'Your enquiry' : poster.company_name}</span>
          <span className="whitespace-nowrap">
            {offer_count > 0 && `${offer_count} ${offer_count === 1 ? 'offer' : 'offers'} · `}
            {ageInWords(new Date(created_at), serverNow())}
          </span>
        </p>
      </div>
    </PlaceLink>
  )
}

export function EnquiryListSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading enquiries…</span>
      <div className={enquiryGrid}>
        {Array.from({ length: 6 }, (_, card) => (
          <Skeleton key={card} className="h-32 w-full" />
        ))}
      </div>
    </div>
  )
}
