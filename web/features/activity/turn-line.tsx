import type { Listing } from '#contract/listings.ts'
import { turnOf, type Turn } from '#web/features/activity/turn.ts'

const looks: Record<Turn['look'], string> = {
  mine: 'font-strong text-warning',
  theirs: 'text-muted',
  leading: 'font-strong text-success',
  outbid: 'font-strong text-danger',
}

export function TurnLine({ listing }: { listing: Listing }) {
  const turn = turnOf(listing)
  return turn && <p className={looks[turn.look]}>{turn.words}</p>
}
