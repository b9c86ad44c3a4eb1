import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { watchNear } from '#web/ui/near.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What is far down a page is loaded when somebody comes near it: the first paint does without. */
export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !place.current) return
    return watchNear(place.current, { margin: 200, onNear: () => setIsNear(true) })
  }, [isNear])
  const later = <Skeleton className="h-96 w-full" />
  return <div ref={place}>{isNear ? <Suspense fallback={later}>{children}</Suspense> : later}</div>
}
