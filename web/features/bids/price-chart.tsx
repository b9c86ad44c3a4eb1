import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import type { Pence } from '#domain/money.ts'
import { useViewerId } from '#web/api/session.ts'
import { bidsQuery } from '#web/features/bids/queries.ts'

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

const SMALL_WIDTH = 96
const SMALL_HEIGHT = 28

/** The price after each bid, without words: the figures stand beside it. */
export function Sparkline({ listing: { id, start_price } }: { listing: Listing }) {
  const { data: bids = [] } = useQuery(bidsQuery(id, useViewerId()))
  const prices = [start_price.value, ...bids.map(({ price }) => price.value).reverse()]
  if (bids.length === 0) return null
  const line = stepsOf(prices, { width: SMALL_WIDTH, height: SMALL_HEIGHT, inset: 3 })
  return (
    <svg viewBox={`0 0 ${SMALL_WIDTH} ${SMALL_HEIGHT}`} preserveAspectRatio="none" className="h-8 w-28" aria-hidden="true">
      <path d={`${line}V${SMALL_HEIGHT}H0Z`} className="fill-primary-soft" />
      <path d={line} fill="none" className="stroke-copper" strokeWidth="2" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** A line that stays at each price until the next one: an SVG path. */
function stepsOf(prices: readonly Pence[], { width, height, inset }: { width: number; height: number; inset: number }): string {
  const low = Math.min(...prices)
  const span = Math.max(...prices) - low || 1
  const x = (at: number) => round((at / prices.length) * width)
  const y = (price: Pence) => round(height - inset - ((price - low) / span) * (height - 2 * inset))
  return `M0 ${y(prices[0] ?? 0)}${prices.map((price, at) => `V${y(price)}H${x(at + 1)}`).join('')}`
}

const round = (value: number) => Math.round(value * 10) / 10
