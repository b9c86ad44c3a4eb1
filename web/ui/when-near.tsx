import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What is far down a page is loaded when somebody comes near it: the first paint does without. */
export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !place.current) return
    // a busy browser tells of several changes at once, the oldest first
    const look: IntersectionObserverCallback = (changes) => changes.some(({ isIntersecting }) => isIntersecting) && setIsNear(true)
    const observer = new IntersectionObserver(look, { rootMargin: '200px' })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  const later = <Skeleton className="h-96 w-full" />
  return <div ref={place}>{isNear ? <Suspense fallback={later}>{children}</Suspense> : later}</div>
}
