import { useInfiniteQuery } from '@tanstack/react-query'
import { FileCheck } from 'lucide-react'
import { documentKinds, type DocumentStatus } from '#contract/values/document-kinds.ts'
import { formatMoment } from '#domain/format-time.ts'
import { lastDayInWords } from '#domain/licence.ts'
import { messageOf } from '#web/api/api-error.ts'
import { documentsQuery, type ReviewedDocument } from '#web/features/back-office/documents/queries.ts'
import { statusNames } from '#web/features/back-office/documents/status-names.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedPart, FailedState } from '#web/ui/state.tsx'

const noneWords: Record<DocumentStatus, { title: string; says: string }> = {
  pending: { title: 'No document waits', says: 'Each document that a merchant uploads comes here to be checked.' },
  approved: { title: 'None approved yet', says: 'Documents that an admin has approved are listed here.' },
  rejected: { title: 'None rejected yet', says: 'Documents that an admin has rejected are listed here, with the reason.' },
}

export function DocumentList({ status }: { status: DocumentStatus }) {
  const pages = useInfiniteQuery(documentsQuery(status))
  const { data, error, isPending, isFetching, refetch } = pages
  if (isPending) return <ListSkeleton />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  // one that moved to another page meanwhile is shown once
  const documents = [...new Map(data.pages.flatMap((page) => page.data).map((one) => [one.id, one])).values()]
  const { title, says } = noneWords[status]
  return (
    <div className="grid gap-4">
      {pages.isRefetchError && <FailedPart of={pages} />}
      {documents.length === 0 ? (
        <div className="py-6">
          <EmptyState icon={FileCheck} title={title}>
            <p>{says}</p>
          </EmptyState>
        </div>
      ) : (
        <ul aria-label={`Documents, ${statusNames[status].toLowerCase()}`} className="border-b border-line">
          {documents.map((document) => (
            <Row key={document.id} document={document} />
          ))}
        </ul>
      )}
      <MorePages pages={pages} />
    </div>
  )
}

function Row({ document }: { document: ReviewedDocument }) {
  const { id, kind, number, council, user } = document
  const details = [number, council].filter(Boolean).join(' · ')
  return (
    <li className="border-t border-line first:border-t-0">
      <PlaceLink
        to="admin-document"
        params={{ id }}
        className="grid gap-x-6 gap-y-1 py-3 -outline-offset-2 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_14rem] md:px-3"
      >
        <span className="grid content-start">
          <span className="text-16 font-strong wrap-anywhere">{user.company_name}</span>
          <span className="text-muted wrap-anywhere">{user.email}</span>
        </span>
        <span className="grid content-start">
          <span>{documentKinds[kind]}</span>
          {details && <span className="text-muted wrap-anywhere">{details}</span>}
        </span>
        <span className="text-muted md:text-right wrap-anywhere">{whenWords(document)}</span>
      </PlaceLink>
    </li>
  )
}

function whenWords({ status, submitted_at, reviewed_at, expires_at, reason }: ReviewedDocument): string {
  if (status === 'pending') return `Waits since ${formatMoment(new Date(submitted_at))}`
  if (status === 'rejected') return reason ?? ''
  if (expires_at) return `Until ${lastDayInWords(new Date(expires_at))}`
  return reviewed_at ? `Since ${formatMoment(new Date(reviewed_at))}` : ''
}

function ListSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading documents…</span>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-14 w-full" />
      ))}
    </div>
  )
}
