import { useInfiniteQuery } from '@tanstack/react-query'
import { ClipboardList, Download } from 'lucide-react'
import { useState } from 'react'
import type { RecordFilter, ScrapRecordItem } from '#contract/sales/papers.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import { csvPath, recordsQuery } from '#web/features/papers/queries.ts'
import { RecordFilters } from '#web/features/papers/record-filters.tsx'
import { RecordRow } from '#web/features/papers/record-row.tsx'
import { MorePages } from '#web/listing/more-pages.tsx'
import { useDownload } from '#web/sending/download.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedPart } from '#web/ui/state.tsx'

/** The records of the Scrap Metal Dealers Act: filters, a table, and all of it as CSV. */
export function Records() {
  const [filter, setFilter] = useState<RecordFilter>({})
  const pages = useInfiniteQuery(recordsQuery(filter))
  const { isBusy, download } = useDownload()
  const records = pages.data?.pages.flatMap(({ data }) => data)
  const isFiltered = Object.keys(filter).length > 0
  if (!records && !isFiltered) return pages.error ? <FailedPart of={pages} /> : <RecordsSkeleton />
  if (records?.length === 0 && !isFiltered)
    return (
      <EmptyState icon={ClipboardList} title="No records yet">
        <p>A record is written by itself when scrap that you sold or bought changes hands.</p>
      </EmptyState>
    )
  return (
    <div className="grid gap-4">
      <RecordFilters onFilter={setFilter} />
      {records ? (
        <Filled records={records} isOld={pages.isPlaceholderData} />
      ) : pages.error ? (
        <FailedPart of={pages} />
      ) : (
        <RecordsSkeleton />
      )}
      {records && pages.isError && !pages.isFetchNextPageError && <FailedPart of={pages} />}
      <MorePages pages={pages} />
      {records && records.length > 0 && (
        <Button
          kind="plain"
          className="justify-self-start"
          isLoading={isBusy}
          onClick={() => void download(csvPath(filter), `yardbid-records-${formatIsoDay(new Date())}.csv`)}
        >
          <Download className="size-4" aria-hidden="true" />
          {isFiltered ? 'Download these as CSV' : 'Download all as CSV'}
        </Button>
      )}
    </div>
  )
}

function Filled({ records, isOld }: { records: readonly ScrapRecordItem[]; isOld: boolean }) {
  if (records.length === 0) return <p role="status">No record matches. Change or clear the filters.</p>
  return (
    <table className={`w-full ${isOld ? 'opacity-60' : ''}`}>
      <caption className="sr-only">Scrap metal records</caption>
      <thead>
        <tr className="border-b border-control text-left">
          <th scope="col" className="py-2 pr-3">
            Date
          </th>
          <th scope="col" className="py-2 pr-3">
            Metal
          </th>
          <th scope="col" className="py-2 pr-3 max-md:sr-only">
            From or to
          </th>
          <th scope="col" className="py-2 pr-3 text-right">
            Weight
          </th>
          <th scope="col" className="py-2 text-right">
            <span className="sr-only">Download</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <RecordRow key={record.id} record={record} />
        ))}
      </tbody>
    </table>
  )
}

function RecordsSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading records…</span>
      {Array.from({ length: 3 }, (_, row) => (
        <Skeleton key={row} className="h-11 w-full" />
      ))}
    </div>
  )
}
