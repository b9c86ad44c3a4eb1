import { useSyncExternalStore } from 'react'

// Tailwind's lg: from here on a panel stands beside a list
const wide = window.matchMedia('(min-width: 64rem)')

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)

function subscribe(reader: () => void) {
  wide.addEventListener('change', reader)
  return () => wide.removeEventListener('change', reader)
}
