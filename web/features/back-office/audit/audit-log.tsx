import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { formatIsoDay } from '#domain/format-time.ts'
import { messageOf } from '#web/api/api-error.ts'
import { AuditEntry } from '#web/features/back-office/audit/audit-entry.tsx'
import { auditCsvPath, auditQuery, type AuditSearch } from '#web/features/back-office/audit/queries.ts'
import { MorePages } from '#web/listing/more-pages.tsx'
import { useDownload } from '#web/sending/download.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedPart, FailedState } from '#web/ui/state.tsx'

/** The entries that the filters leave, newest first. */
export function AuditLog({ search }: { search: AuditSearch }) {
  const pages = useInfiniteQuery(auditQuery(search))
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = pages
  const { isBusy, download } = useDownload()
  if (isPending) return <LogSkeleton />
  if (!data) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  const entries = data.pages.flatMap((page) => page.data)
  if (entries.length === 0)
    return (
      <EmptyState icon={ScrollText} title="No entry matches">
        <p>Change or clear the filters. Emails and acts must be written in full.</p>
      </EmptyState>
    )
  return (
    <div className="grid gap-4">
      {pages.isRefetchError && <FailedPart of={pages} />}
      <ol aria-label="Audit log" className={`border-b border-line ${isPlaceholderData ? 'opacity-60' : ''}`}>
        {entries.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
      </ol>
      <MorePages pages={pages} />
      <Button
        kind="plain"
        className="justify-self-start"
        isLoading={isBusy}
        onClick={() => void download(auditCsvPath(search), `yardbid-audit-${formatIsoDay(new Date())}.csv`)}
      >
        <Download className="size-4" aria-hidden="true" />
        {Object.keys(search).length > 0 ? 'Download these as CSV' : 'Download all as CSV'}
      </Button>
    </div>
  )
}

function LogSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading the audit log…</span>
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="h-14 w-full" />
      ))}
    </div>
  )
}
