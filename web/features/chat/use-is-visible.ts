import { useSyncExternalStore } from 'react'

/** Whether somebody can see this tab. */
export const useIsVisible = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')

function subscribe(reader: () => void) {
  document.addEventListener('visibilitychange', reader)
  return () => document.removeEventListener('visibilitychange', reader)
}
