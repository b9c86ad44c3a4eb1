import { Download } from 'lucide-react'
import type { z } from 'zod'
import type { subscriptionInvoice } from '#contract/payments.ts'
import { formatPence } from '#domain/format.ts'
import { formatShortDay } from '#domain/format-time.ts'
import { useDownload } from '#web/sending/download.ts'
import { Spinner } from '#web/ui/spinner.tsx'

export type Invoice = z.output<typeof subscriptionInvoice>

const statuses: Record<Invoice['status'], { label: string; ink: string }> = {
  paid: { label: 'Paid', ink: 'text-success' },
  open: { label: 'Unpaid', ink: 'text-warning' },
  uncollectible: { label: 'Written off', ink: 'text-danger' },
  void: { label: 'Void', ink: 'text-muted' },
}

export function InvoiceRow({ invoice: { id, number, status, total, created_at } }: { invoice: Invoice }) {
  const { isBusy, download } = useDownload()
  const { label, ink } = statuses[status]
  return (
    <tr className="border-b border-line">
      <td className="py-2 pr-3 whitespace-nowrap">
        {formatShortDay(new Date(created_at))}
        <span className="block text-12 text-muted md:hidden" aria-hidden="true">
          {number}
        </span>
      </td>
      <td className="py-2 pr-3 max-md:sr-only">{number}</td>
      <td className={`py-2 pr-3 ${ink}`}>{label}</td>
      <td className="tabular py-2 pr-3 text-right text-16">{formatPence(total.value)}</td>
      <td className="w-11">
        <button
          type="button"
          aria-label={`Download invoice ${number}`}
          disabled={isBusy}
          className="grid size-11 place-items-center rounded-base text-muted hover:text-ink"
          onClick={() => void download(pathOf(id), `${number}.pdf`)}
        >
          {isBusy ? <Spinner className="size-4" /> : <Download className="size-4" aria-hidden="true" />}
        </button>
      </td>
    </tr>
  )
}

// contract/payments.ts INVOICE_DOWNLOAD, without the schemas that stand beside it
const pathOf = (id: string) => `/api/v1/stripe/subscription/invoices/${encodeURIComponent(id)}/download`
