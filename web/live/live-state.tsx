import { WifiOff } from 'lucide-react'
import { useIsDown } from '#web/live/live.ts'

/** Nothing while prices arrive live; the place stays, so that what appears in it is announced. */
export function LiveState() {
  const isDown = useIsDown()
  return (
    <div aria-live="polite" className="empty:hidden">
      {isDown && (
        <p className="flex items-center gap-2 text-14 text-muted">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          Reconnecting… Prices may be 15 seconds old.
        </p>
      )}
    </div>
  )
}
