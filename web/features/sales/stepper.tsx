import { Check } from 'lucide-react'
import type { ListingStatus } from '#contract/values/listing-status.ts'

const stages = ['Won', 'Paid', 'Papers', 'Handover', 'Inspection', 'Done'] as const

/** How many of them lie behind a sale in this status; none is shown where nothing is sold. */
const stagesDone: Partial<Record<ListingStatus, number>> = {
  AwaitingKYC: 1,
  AwaitingVatNumberVerification: 1,
  InvoiceRequired: 1,
  PendingPayment: 1,
  BalanceDue: 1,
  DocumentsRequired: 2,
  PendingCollection: 3,
  Dispatched: 3,
  ReceivedGoods: 4,
  ReviewAmend: 4,
  ApprovedAmendsDocumentsRequired: 4,
  ReturnStarted: 4,
  ReturnDispatched: 4,
  DeferredPayment: 5,
  ExchangeComplete: 6,
}

export function Stepper({ status }: { status: ListingStatus }) {
  const done = stagesDone[status]
  if (done === undefined) return null
  return (
    <ol aria-label="The sale, step by step" className="grid grid-cols-6">
      {stages.map((stage, nth) => (
        <Stage key={stage} name={stage} nth={nth} done={done} />
      ))}
    </ol>
  )
}

function Stage({ name, nth, done }: { name: string; nth: number; done: number }) {
  const isDone = nth < done
  const isNext = nth === done
  const disc = isDone ? 'bg-success text-surface' : isNext ? 'border-2 border-copper bg-surface' : 'border border-control bg-surface'
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={`tabular relative grid justify-items-center gap-1 text-12 sm:text-14 ${isNext ? 'font-strong' : isDone ? '' : 'text-muted'}`}
    >
      {nth > 0 && (
        <span className={`absolute top-2.5 right-1/2 h-0.5 w-full ${isDone || isNext ? 'bg-success' : 'bg-line'}`} aria-hidden="true" />
      )}
      <span className={`relative z-10 grid size-5 place-items-center rounded-full ${disc}`} aria-hidden="true">
        {isDone && <Check className="size-3" strokeWidth={4} />}
      </span>
      {name}
      <span className="sr-only">{isDone ? ', done' : isNext ? ', next' : ', to come'}</span>
    </li>
  )
}
