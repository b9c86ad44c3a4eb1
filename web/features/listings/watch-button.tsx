import { Star } from 'lucide-react'
import { useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { call } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { keepListing } from '#web/features/listings/queries.ts'
import { Button } from '#web/ui/button.tsx'

/** Shown as pressed at once; a refusal takes it back and says why. */
export function WatchButton({ listing: { id, is_watched } }: { listing: Listing }) {
  const [wanted, setWanted] = useState<boolean>()
  const isWatched = wanted ?? is_watched

  const toggle = async () => {
    setWanted(!isWatched)
    try {
      const { data } = await call(isWatched ? 'DELETE /api/v1/listings/{id}/watch' : 'PUT /api/v1/listings/{id}/watch', { params: { id } })
      keepListing(data)
    } catch (error) {
      sayError(error)
    } finally {
      setWanted(undefined)
    }
  }

  return (
    <Button kind="plain" aria-pressed={isWatched} disabled={wanted !== undefined} onClick={() => void toggle()}>
      <Star className={`size-4 ${isWatched ? 'fill-copper text-copper' : ''}`} aria-hidden="true" />
      {isWatched ? 'Watching' : 'Watch'}
    </Button>
  )
}
