import { useSyncExternalStore } from 'react'
import { call, whenVersionIsSeen } from '#web/api/api.ts'

const CHECK_EVERY_MS = 5 * 60_000

let isOutdated = false
const readers = new Set<() => void>()

/** Whether the server has a newer build than this page: every answer names its version, and a quiet page asks. */
export const useIsOutdated = (): boolean => useSyncExternalStore(subscribe, () => isOutdated)

export function watchAppVersion(): void {
  // the development server replaces modules by itself
  if (__APP_VERSION__ === 'dev') return
  whenVersionIsSeen((version) => {
    if (version !== __APP_VERSION__) markOutdated()
  })
  // a file of this build is no longer there: a newer one replaced it
  window.addEventListener('vite:preloadError', markOutdated)
  document.addEventListener('visibilitychange', ask)
  setInterval(ask, CHECK_EVERY_MS)
}

function ask() {
  // silence is no news: the next answer names the version as well
  if (document.visibilityState === 'visible' && !isOutdated) call('GET /api/v1/config').catch(() => undefined)
}

function markOutdated() {
  isOutdated = true
  for (const reader of readers) reader()
}

function subscribe(reader: () => void) {
  readers.add(reader)
  return () => void readers.delete(reader)
}
