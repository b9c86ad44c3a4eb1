import { useLocation } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'

/** What it is at the left, its fields at the right; on a phone one under the other. */
export function Section({ id, title, about, children }: { id?: string; title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section
      id={id}
      className="grid scroll-mt-20 gap-x-10 gap-y-4 border-t border-line py-6 lg:py-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,36rem)]"
    >
      <div className="grid content-start gap-1">
        <h2 className="text-16">{title}</h2>
        {about && <div className="text-muted lg:max-w-xs">{about}</div>}
      </div>
      <div>{children}</div>
    </section>
  )
}

/** A link to a part of a page leads there once what stands above it has its size. */
export function useArrivalAt(isDrawn: boolean): void {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (isDrawn && hash) document.getElementById(hash)?.scrollIntoView({ block: 'start' })
  }, [isDrawn, hash])
}
