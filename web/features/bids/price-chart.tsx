import type { Pence } from '#domain/money.ts'
import { stepsOf } from '#web/features/bids/price-steps.ts'
import { formatPence } from '#web/money.ts'

const WIDTH = 320
const HEIGHT = 72
const INSET = 4

/** The price after each bid, as steps; the first price is where it started. */
export function PriceChart({ prices }: { prices: readonly Pence[] }) {
  const first = prices[0] ?? 0
  const last = prices.at(-1) ?? first
  const line = stepsOf(prices, { width: WIDTH, height: HEIGHT, inset: INSET })
  return (
    <figure className="grid gap-1">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-20 w-full"
        role="img"
        aria-label={`The price rose from ${formatPence(first)} to ${formatPence(last)} in ${prices.length - 1} ${prices.length === 2 ? 'bid' : 'bids'}`}
      >
        <path d={`${line}V${HEIGHT}H0Z`} className="fill-primary-soft" />
        <path d={line} fill="none" className="stroke-copper" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="tabular flex justify-between text-14 text-muted" aria-hidden="true">
        <span>{formatPence(first)}</span>
        <span>{formatPence(last)}</span>
      </figcaption>
    </figure>
  )
}
