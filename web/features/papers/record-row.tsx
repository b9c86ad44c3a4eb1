import { Download } from 'lucide-react'
import type { ScrapRecordItem } from '#contract/sales/papers.ts'
import { formatWeight } from '#domain/format.ts'
import { formatIsoDay, formatShortDay } from '#domain/format-time.ts'
import { useDownload } from '#web/sending/download.ts'
import { Spinner } from '#web/ui/spinner.tsx'

const kinds = { receipt: 'Received', disposal: 'Disposed of' } as const

export function RecordRow({ record }: { record: ScrapRecordItem }) {
  const { isBusy, download } = useDownload()
  const { kind, cause, at, material, counterparty, weight_kg, url, title } = record
  const day = new Date(at)
  const from = `${kind === 'receipt' ? 'from' : 'to'} ${counterparty.company_name}`
  return (
    <tr className="border-b border-line align-top">
      <td className="py-2 pr-3 whitespace-nowrap">
        {formatShortDay(day)}
        <span className="block text-12 text-muted">{cause === 'return' ? `${kinds[kind]}, return` : kinds[kind]}</span>
      </td>
      <td className="py-2 pr-3">
        {material.group === material.name ? material.name : `${material.group}, ${material.name}`}
        <span className="block text-12 text-muted md:hidden" aria-hidden="true">
          {from}
        </span>
      </td>
      <td className="py-2 pr-3 max-md:sr-only">{from}</td>
      <td className="tabular py-2 pr-3 text-right text-16 whitespace-nowrap">{weight_kg === null ? '–' : formatWeight(weight_kg)}</td>
      <td className="w-11">
        <button
          type="button"
          aria-label={`Download the record of ${title}, ${formatShortDay(day)}`}
          disabled={isBusy}
          className="grid size-11 place-items-center rounded-base text-muted hover:text-ink"
          onClick={() => void download(url, `${kind}-${formatIsoDay(day)}.pdf`)}
        >
          {isBusy ? <Spinner className="size-4" /> : <Download className="size-4" aria-hidden="true" />}
        </button>
      </td>
    </tr>
  )
}
