import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { formatMoment } from '#domain/format-time.ts'
import { documentsQuery } from '#web/features/back-office/documents/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

/** The desk's row for documents: how many wait, and since when the first of them does. */
export function WaitingDocuments() {
  const documents = useInfiniteQuery(documentsQuery('pending'))
  const { data, isPending, hasNextPage } = documents
  if (isPending)
    return (
      <li role="status" className="border-t border-line py-4">
        <span className="sr-only">Loading documents…</span>
        <Skeleton className="h-11 w-full" />
      </li>
    )
  if (!data)
    return (
      <li className="border-t border-line py-4">
        <FailedPart of={documents} />
      </li>
    )
  const waiting = data.pages.flatMap((page) => page.data)
  const [oldest] = waiting
  return (
    <li className="border-t border-line">
      <PlaceLink to="admin-documents" className="flex min-h-16 items-center gap-4 py-3 -outline-offset-2 hover:bg-sunken md:px-3">
        <span className={`tabular min-w-14 text-28 ${oldest ? 'font-strong' : 'text-muted'}`}>
          {waiting.length}
          {hasNextPage && '+'}
        </span>
        <span className="grid flex-1">
          <span className="text-16 font-strong">Documents to check</span>
          <span className="text-muted">
            {oldest
              ? `The oldest, from ${oldest.user.company_name}, has waited since ${formatMoment(new Date(oldest.submitted_at))}`
              : 'None waits'}
          </span>
        </span>
        <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden="true" />
      </PlaceLink>
    </li>
  )
}
