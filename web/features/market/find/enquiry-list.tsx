import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { MapPinOff, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Enquiry } from '#contract/market/enquiries.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { EnquiryCard, enquiryGrid, EnquiryListSkeleton } from '#web/features/market/find/enquiry-card.tsx'
import { emptyFilter, type MarketFilter } from '#web/features/market/data/filter.ts'
import { useEnquiries } from '#web/features/market/data/queries.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

type Props = {
  filter: MarketFilter
  onFilter: (filter: MarketFilter) => void
  search: Record<string, string>
  /** What to do when there are none at all. */
  emptyAction: ReactNode
}

export function EnquiryList({ filter, onFilter, search, emptyAction }: Props) {
  const pages = useEnquiries(filter)
  const isNarrowed = JSON.stringify(filter) !== JSON.stringify(emptyFilter)
  if (pages.error instanceof ApiError && 'filter[post_code]' in pages.error.errors)
    return (
      <EmptyState
        icon={MapPinOff}
        title={`${filter.near} is not a post code that we know`}
        action={
          <Button kind="plain" onClick={() => onFilter({ ...filter, near: '' })}>
            Search everywhere
          </Button>
        }
      >
        <p>A whole post code such as M1 4BT will do, and so will its first half, M1.</p>
      </EmptyState>
    )
  return (
    <EnquiryPages
      pages={pages}
      search={search}
      empty={
        <EmptyState
          icon={SearchX}
          title={isNarrowed ? 'No enquiry matches' : 'No open enquiries at the moment'}
          action={
            isNarrowed ? (
              <Button kind="plain" onClick={() => onFilter(emptyFilter)}>
                Show all enquiries
              </Button>
            ) : (
              emptyAction
            )
          }
        >
          <p>
            {isNarrowed
              ? 'Try another word, another material or more miles.'
              : 'When a tradesperson has something to sell it stands here at once. Say what you buy, and you are told.'}
          </p>
        </EmptyState>
      }
    />
  )
}

type PagesProps = {
  pages: UseInfiniteQueryResult<{ pages: { data: Enquiry[] }[] }>
  search: Record<string, string>
  empty: ReactNode
}

/** Loading, failed, empty or filled. */
export function EnquiryPages({ pages, search, empty }: PagesProps) {
  const { data, error, isPending, isFetching, refetch } = pages
  if (isPending) return <EnquiryListSkeleton />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  const enquiries = data.pages.flatMap((page) => page.data)
  if (enquiries.length === 0) return empty
  return (
    <div className="@container grid gap-6">
      <ul className={enquiryGrid} aria-label="Enquiries">
        {enquiries.map((enquiry) => (
          <li key={enquiry.id} className="min-w-0">
            <EnquiryCard enquiry={enquiry} search={search} />
          </li>
        ))}
      </ul>
      <MorePages pages={pages} />
    </div>
  )
}
