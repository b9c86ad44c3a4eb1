import { useInfiniteQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import type { Pence } from '#domain/money.ts'
import { useViewerId } from '#web/api/session.ts'
import { bidsQuery, pricesOf, type PricePoint } from '#web/features/bids/queries.ts'

const WIDTH = 320
const HEIGHT = 72
const INSET = 4

/** The price after each bid, as steps; the first price is where it started. `count` is of all bids, also of those not read yet. */
export function PriceChart({ start, points, count }: { start: Pence; points: readonly PricePoint[]; count: number }) {
  const last = points.at(-1)?.price ?? start
  const line = stepsOf({ start, points, count }, { width: WIDTH, height: HEIGHT, inset: INSET })
  return (
    <figure className="grid gap-1">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-20 w-full"
        role="img"
        aria-label={`The price rose from ${formatPence(start)} to ${formatPence(last)} in ${count} ${count === 1 ? 'bid' : 'bids'}`}
      >
        <path d={`${line}V${HEIGHT}H0Z`} className="fill-primary-soft" />
        <path d={line} fill="none" className="stroke-copper" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="tabular flex justify-between text-14 text-muted" aria-hidden="true">
        <span>{formatPence(start)}</span>
        <span>{formatPence(last)}</span>
      </figcaption>
    </figure>
  )
}

const SMALL_WIDTH = 96
const SMALL_HEIGHT = 28

/** The price after each bid, without words: the figures stand beside it. */
export function Sparkline({ listing: { id, start_price, bid_count } }: { listing: Listing }) {
  const { data } = useInfiniteQuery(bidsQuery(id, useViewerId()))
  const points = pricesOf(data?.pages.flatMap((page) => page.data) ?? [])
  if (points.length === 0) return null
  const line = stepsOf({ start: start_price.value, points, count: bid_count }, { width: SMALL_WIDTH, height: SMALL_HEIGHT, inset: 3 })
  return (
    <svg viewBox={`0 0 ${SMALL_WIDTH} ${SMALL_HEIGHT}`} preserveAspectRatio="none" className="h-8 w-28" aria-hidden="true">
      <path d={`${line}V${SMALL_HEIGHT}H0Z`} className="fill-primary-soft" />
      <path d={line} fill="none" className="stroke-copper" strokeWidth="2" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

type Course = { start: Pence; points: readonly PricePoint[]; count: number }

/** A line that stays at each price until the next one: an SVG path. Straight over the bids that were not read yet. */
function stepsOf({ start, points, count }: Course, { width, height, inset }: { width: number; height: number; inset: number }): string {
  const prices = [start, ...points.map(({ price }) => price)]
  const low = Math.min(...prices)
  const span = Math.max(...prices) - low || 1
  const moments = Math.max(count, points.at(-1)?.seq ?? 0) + 1
  const x = (seq: number) => round((seq / moments) * width)
  const y = (price: Pence) => round(height - inset - ((price - low) / span) * (height - 2 * inset))
  const [oldest] = points
  const unread = oldest && oldest.seq > 1 ? `L${x(oldest.seq)} ${y(oldest.price)}` : `H${x(1)}`
  return `M0 ${y(start)}${unread}${points.map(({ seq, price }) => `V${y(price)}H${x(seq + 1)}`).join('')}`
}

const round = (value: number) => Math.round(value * 10) / 10
