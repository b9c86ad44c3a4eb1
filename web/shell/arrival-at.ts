import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

/** A link to a part of a page leads there once what stands above it has its size. */
export function useArrivalAt(isDrawn: boolean): void {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (isDrawn && hash) document.getElementById(hash)?.scrollIntoView({ block: 'start' })
  }, [isDrawn, hash])
}
