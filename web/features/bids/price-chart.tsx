import type { Pence } from '#domain/money.ts'
import { formatPence } from '#web/money.ts'

const WIDTH = 320
const HEIGHT = 72
const INSET = 4

/** The price after each bid, as steps; the first price is where it started. */
export function PriceChart({ prices }: { prices: readonly Pence[] }) {
  const first = prices[0] ?? 0
  const last = prices.at(-1) ?? first
  const line = stepsOf(prices)
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

function stepsOf(prices: readonly Pence[]): string {
  const low = Math.min(...prices)
  const span = Math.max(...prices) - low || 1
  const x = (at: number) => round((at / prices.length) * WIDTH)
  const y = (price: Pence) => round(HEIGHT - INSET - ((price - low) / span) * (HEIGHT - 2 * INSET))
  return `M0 ${y(prices[0] ?? 0)}${prices.map((price, at) => `V${y(price)}H${x(at + 1)}`).join('')}`
}

const round = (value: number) => Math.round(value * 10) / 10
