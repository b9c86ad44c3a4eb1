import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { watchNear } from '#web/ui/near.ts'

type Props = {
  onMore: () => void
  isLoading: boolean
  /** False: it waits to be pressed, after a page that did not load. */
  isByItself: boolean
}

/** Pressed, or reached by scrolling: the end of the list is a screen away. */
export function ShowMore({ onMore, isLoading, isByItself }: Props) {
  const button = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isByItself || !button.current) return
    return watchNear(button.current, { margin: 600, onNear: onMore })
  }, [isByItself, onMore])
  return (
    <div ref={button} className="grid justify-items-center">
      <Button kind="plain" onClick={onMore} isLoading={isLoading}>
        Show more
      </Button>
    </div>
  )
}
