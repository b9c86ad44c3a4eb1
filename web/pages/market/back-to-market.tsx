import { useSearch } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import type { Place } from '#contract/values/places.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

/** Back on a phone, away on a wide screen, to the list; its filter and words stay. */
export function BackToMarket({ to, label, isInLine = false }: { to: Place; label: string; isInLine?: boolean }) {
  const isWide = useIsWide()
  const { search: words, ...search } = useSearch({ strict: false }) as Record<string, string>
  const Icon = isWide ? X : ArrowLeft
  const look = isInLine ? 'shrink-0 px-3' : isWide ? 'absolute -top-1 -right-4 z-10' : '-my-3 -ml-4 justify-self-start'
  return (
    <PlaceLink
      to={to === 'market' && words ? 'market-search' : to}
      {...(to === 'market' && words && { params: { searchTerm: words } })}
      search={search}
      resetScroll={!isWide}
      aria-label={isWide ? 'Close' : label}
      className={buttonLook('quiet', look)}
    >
      <Icon className="size-4" aria-hidden="true" />
      {!isInLine && (isWide ? 'Close' : label)}
    </PlaceLink>
  )
}
