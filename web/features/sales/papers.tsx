import { Download, ExternalLink, FileText, Image } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Listing, Paper } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import type { Party } from '#web/listing/turn.ts'
import { useDownload } from '#web/sending/download.ts'
import { Spinner } from '#web/ui/spinner.tsx'

/** Every paper of the sale, those with a number first, each to download. */
export function Papers({ listing: { papers, status }, party }: { listing: Listing; party: Party }) {
  if (papers.length === 0) {
    // before anything is paid none is expected
    if (status.name !== 'DocumentsRequired') return null
    return (
      <Frame>
        <p className="text-muted">None yet. Invoices, tickets, photos and notes of this sale are kept here.</p>
      </Frame>
    )
  }
  const sorted = papers.toSorted((one, other) => Number(other.number !== null) - Number(one.number !== null))
  return (
    <Frame>
      <ul className="border-y border-line">
        {sorted.map((paper) => (
          <Row key={paper.id} paper={paper} party={party} />
        ))}
      </ul>
    </Frame>
  )
}

const Frame = ({ children }: { children: ReactNode }) => (
  <section aria-labelledby="papers" className="grid gap-3">
    <h2 id="papers" className="text-16">
      Papers
    </h2>
    {children}
  </section>
)

/** What we made is fetched before it is saved, so that a failure is said here; what was uploaded opens beside the page. */
function Row({ paper, party }: { paper: Paper; party: Party }) {
  const { isBusy, download } = useDownload()
  const { kind, number, by, url } = paper
  const look =
    'grid min-h-13 w-full grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 py-2 text-left -outline-offset-2 hover:bg-sunken/60'
  return (
    <li className="border-t border-line first:border-t-0">
      {by === 'platform' ? (
        <button
          type="button"
          className={look}
          aria-busy={isBusy || undefined}
          onClick={() => void download(url, `${[kind, number].filter(Boolean).join('-')}.pdf`)}
        >
          <What {...{ paper, party }} />
          {isBusy ? <Spinner className="size-4" /> : <Download className="size-4 text-primary" aria-hidden="true" />}
        </button>
      ) : (
        <a href={url} target="_blank" rel="noopener" className={look}>
          <What {...{ paper, party }} />
          <ExternalLink className="size-4 text-primary" aria-hidden="true" />
          <span className="sr-only">opens in a new tab</span>
        </a>
      )}
    </li>
  )
}

function What({ paper: { kind, number, by, total, at }, party }: { paper: Paper; party: Party }) {
  const Icon = photoKinds.includes(kind) ? Image : FileText
  const from = by === 'platform' ? 'Yardbid' : by === party ? 'You' : by === 'seller' ? 'Seller' : 'Buyer'
  return (
    <>
      <Icon className="size-5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <span className="grid">
        <span className="wrap-anywhere">
          {kindNames[kind]} {number && <span className="tabular text-16 whitespace-nowrap">{number}</span>}
        </span>
        <span className="text-12 text-muted">
          {from} · {formatMoment(new Date(at))}
        </span>
      </span>
      <span className="tabular text-16">{total && formatPence(total.value)}</span>
    </>
  )
}

const photoKinds: readonly Paper['kind'][] = ['load_image', 'weighbridge_monitor', 'return_photo']

const kindNames: Record<Paper['kind'], string> = {
  invoice: 'Invoice',
  supplementary_invoice: 'Supplementary invoice',
  credit_note: 'Credit note',
  return_credit_note: 'Return credit note',
  waste_transfer_note: 'Waste transfer note',
  consignment_note: 'Consignment note',
  scrap_record: 'Scrap metal record',
  weighbridge_ticket: 'Weighbridge ticket',
  weighbridge_monitor: 'Weighbridge display',
  load_image: 'Photo of the load',
  delivery_note: 'Delivery note',
  return_delivery_note: 'Return delivery note',
  amend_evidence: 'Evidence for the amend',
  return_photo: 'Photo for the return',
}
