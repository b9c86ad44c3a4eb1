import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { SalePayment } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { messageOf } from '#web/api/api-error.ts'
import { useConfig } from '#web/api/config.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

type Props = {
  /** The open bank transfer, once it was asked for. */
  payment: SalePayment | null
  isInsteadOfCard: boolean
  begin: () => Promise<string>
  reread: () => Promise<unknown>
}

/** The account details belong to this one payment: they are asked for, and stay the same until it is paid. */
export function BankTransfer({ payment, isInsteadOfCard, begin, reread }: Props) {
  const { isBusy, run } = useOneAtATime()
  const [problem, setProblem] = useState<string>()
  const ask = () =>
    run(async () => {
      setProblem(undefined)
      try {
        await begin()
        await reread()
      } catch (error) {
        setProblem(messageOf(error))
      }
    })
  if (payment?.bank_details) return <Details payment={payment} details={payment.bank_details} />
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        From your business account, without a limit. It usually arrives within minutes, at the latest on the next working day.
        {isInsteadOfCard && ' The card payment that you began is cancelled then.'}
      </p>
      <div aria-live="polite" className="empty:hidden">
        {problem && (
          <Callout look="danger" title="The account details did not come">
            <p>{problem}</p>
          </Callout>
        )}
      </div>
      <Button className="min-h-13 w-full text-16" isLoading={isBusy} onClick={() => void ask()}>
        {problem ? 'Try again' : 'Get the account details'}
      </Button>
    </div>
  )
}

function Details({ payment, details }: { payment: SalePayment; details: NonNullable<SalePayment['bank_details']> }) {
  const isSandbox = useConfig()?.sandbox ?? false
  const received = payment.received.value
  const rest = payment.amount.value - received
  return (
    <div className="grid gap-4">
      {received > 0 && <PartPaid received={received} amount={payment.amount.value} />}
      <p>Send exactly this amount with this reference from your bank’s app or page:</p>
      <dl className="border-y border-line">
        <Row name="Amount" value={formatPence(rest)} copied={(rest / 100).toFixed(2)} />
        <Row name="Sort code" value={grouped(details.sort_code)} copied={details.sort_code} />
        <Row name="Account number" value={details.account_number} />
        <Row name="Reference" value={details.reference} />
        <Row name="Account name" value={details.account_holder_name} />
      </dl>
      <p className="text-muted">
        It usually arrives within minutes, at the latest on the next working day. This page changes by itself when the money is here, and we
        email you.
      </p>
      {details.hosted_url && (
        <a
          className="link inline-flex min-h-11 items-center gap-2 justify-self-start"
          href={details.hosted_url}
          target="_blank"
          rel="noopener"
        >
          {isSandbox ? 'Sandbox: open the bank’s page and send the transfer' : 'The same details on the payment provider’s page'}
          <ExternalLink className="size-4 shrink-0" aria-hidden="true" />
          <span className="sr-only">, opens in a new tab</span>
        </a>
      )}
    </div>
  )
}

/** '20-32-06', as banks print it. */
const grouped = (sortCode: string) => sortCode.replaceAll(/\D/g, '').replaceAll(/(\d\d)(?=\d)/g, '$1-')

function PartPaid({ received, amount }: { received: number; amount: number }) {
  return (
    <div role="status" className="grid gap-2 rounded-base bg-warning-soft px-4 py-3">
      <p className="font-strong">
        Paid in part: {formatPence(received)} of {formatPence(amount)} has arrived
      </p>
      <progress
        aria-label="Part that has arrived"
        value={received}
        max={amount}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-success [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-success"
      />
      <p>Send the rest with the same reference.</p>
    </div>
  )
}

function Row({ name, value, copied = value }: { name: string; value: string; copied?: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-t border-line py-1.5 first:border-t-0">
      <dt className="text-12 text-muted">{name}</dt>
      <dd className="tabular col-start-1 text-20 wrap-anywhere">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton value={copied} name={name.toLowerCase()} />
      </dd>
    </div>
  )
}
