import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { InvoiceRow, type Invoice } from '#web/features/subscription/invoice-row.tsx'
import { invoicesQuery } from '#web/features/subscription/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedPart } from '#web/ui/state.tsx'

/** The subscription's invoices, newest first, a page at a time. */
export function Invoices() {
  const [page, setPage] = useState(1)
  const query = useQuery(invoicesQuery(page))
  const { data, error, isPlaceholderData } = query
  if (!data) return error ? <FailedPart of={query} /> : <InvoicesSkeleton />
  const { current_page, last_page, total } = data.meta
  if (total === 0)
    return (
      <EmptyState icon={ReceiptText} title="No invoices yet">
        <p>The first one comes with the first payment.</p>
      </EmptyState>
    )
  return (
    <div className="grid gap-3">
      <InvoiceTable invoices={data.data} isOld={isPlaceholderData} />
      {error && <p className="text-danger">{error.message}</p>}
      {last_page > 1 && (
        <nav aria-label="Pages of invoices" className="flex items-center justify-between gap-3">
          <Button kind="plain" disabled={current_page <= 1 || isPlaceholderData} onClick={() => setPage(current_page - 1)}>
            Newer
          </Button>
          <p className="tabular text-16 text-muted" aria-live="polite">
            Page {current_page} of {last_page}
          </p>
          <Button kind="plain" disabled={current_page >= last_page || isPlaceholderData} onClick={() => setPage(current_page + 1)}>
            Older
          </Button>
        </nav>
      )}
    </div>
  )
}

function InvoiceTable({ invoices, isOld }: { invoices: readonly Invoice[]; isOld: boolean }) {
  return (
    <table className={`w-full ${isOld ? 'opacity-60' : ''}`}>
      <caption className="sr-only">Invoices</caption>
      <thead>
        <tr className="border-b border-control text-left">
          <th scope="col" className="py-2 pr-3">
            Date
          </th>
          <th scope="col" className="py-2 pr-3 max-md:sr-only">
            Number
          </th>
          <th scope="col" className="py-2 pr-3">
            Status
          </th>
          <th scope="col" className="py-2 pr-3 text-right">
            Total
          </th>
          <th scope="col" className="py-2 text-right">
            <span className="sr-only">Download</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  )
}

function InvoicesSkeleton() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading invoices…</span>
      {Array.from({ length: 4 }, (_, row) => (
        <Skeleton key={row} className="h-9 w-full" />
      ))}
    </div>
  )
}
