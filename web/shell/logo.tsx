import { PlaceLink } from '#web/navigation/place-link.tsx'

/** A Y whose right arm rises like a bid, cut out of a plate with clipped corners. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path d="M6 1h20l5 5v20l-5 5H6l-5-5V6z" className="fill-copper" />
      <path d="M8.500 11l7.300 8.200L25.500 7.500M15.800 19.200V25.500" fill="none" stroke="white" strokeWidth="4" strokeLinecap="square" />
    </svg>
  )
}

/** Beside the rail, which carries the mark itself, the word stands alone. */
export function Logo({ isBesideRail }: { isBesideRail: boolean }) {
  return (
    <PlaceLink to="dashboard" isExact aria-label="Yardbid home" className="inline-flex min-h-11 items-center gap-2 rounded-base">
      <Mark className={`size-7 ${isBesideRail ? 'md:hidden' : ''}`} />
      <span className="tabular text-28 font-strong">Yardbid</span>
    </PlaceLink>
  )
}
