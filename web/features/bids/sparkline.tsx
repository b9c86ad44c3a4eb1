import { useQuery } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import { bidsQuery } from '#web/features/bids/queries.ts'
import { stepsOf } from '#web/features/bids/price-steps.ts'
import { useUser } from '#web/session.ts'

const WIDTH = 96
const HEIGHT = 28

/** The price after each bid, without words: the figures stand beside it. */
export function Sparkline({ listing: { id, start_price } }: { listing: Listing }) {
  const { data: bids = [] } = useQuery(bidsQuery(id, useUser()?.id ?? 'visitor'))
  const prices = [start_price.value, ...bids.map(({ price }) => price.value).reverse()]
  if (bids.length === 0) return null
  const line = stepsOf(prices, { width: WIDTH, height: HEIGHT, inset: 3 })
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-8 w-28" aria-hidden="true">
      <path d={`${line}V${HEIGHT}H0Z`} className="fill-primary-soft" />
      <path d={line} fill="none" className="stroke-copper" strokeWidth="2" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
