import { CircleCheck, CircleDashed } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'

/** Met or not met, never the figure (RULES §3.7). */
export function Reserve({ listing: { has_reservation_price, reservation_met } }: { listing: Listing }) {
  if (!has_reservation_price) return <span className="text-muted">No reserve</span>
  const Icon = reservation_met ? CircleCheck : CircleDashed
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${reservation_met ? 'text-success' : 'text-muted'}`}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {reservation_met ? 'Reserve met' : 'Reserve not met'}
    </span>
  )
}
