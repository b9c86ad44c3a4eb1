import { useEffect, useSyncExternalStore } from 'react'
import { call } from '#web/api/api.ts'
import type { LiveEvent } from '#web/live/connection.ts'
import { joinTabs, type Tabs } from '#web/live/tabs.ts'

const SHOWN_AS_DOWN_AFTER_MS = 5_000

type Listener = (event: LiveEvent | { kind: 'gap' }) => void

const wanted = new Map<string, number>()
const listeners = new Set<Listener>()
const readers = new Set<() => void>()
let tabs: Tabs | undefined
let isDown = false
let downTimer: ReturnType<typeof setTimeout> | undefined

/** Whatever arrives for this browser, in order; `gap` says that something did not. */
export function hearLive(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Topics as API.md has them; `me:{user}` is `me` for as long as that user is logged in. */
export function follow(topics: readonly string[]): () => void {
  count(topics, 1)
  return () => count(topics, -1)
}

export function useFollow(topics: readonly string[]): void {
  const joined = topics.join(',')
  useEffect(() => (joined ? follow(joined.split(',')) : undefined), [joined])
}

/** Whether prices have not arrived live for a while: a connection that comes back at once is nobody's worry. */
export const useIsDown = (): boolean => useSyncExternalStore(subscribe, () => isDown)

function count(topics: readonly string[], by: 1 | -1) {
  for (const topic of topics) {
    const next = (wanted.get(topic) ?? 0) + by
    if (next > 0) wanted.set(topic, next)
    else wanted.delete(topic)
  }
  tabs ??= joinTabs({ onEvent: tell, onUp, onGap: () => tell({ kind: 'gap' }), onRefused })
  tabs.want([...wanted.keys()])
}

function tell(event: Parameters<Listener>[0]) {
  for (const listener of listeners) listener(event)
}

function onUp(isUp: boolean) {
  if (isUp) {
    clearTimeout(downTimer)
    downTimer = undefined
    return show(false)
  }
  downTimer ??= setTimeout(() => show(true), SHOWN_AS_DOWN_AFTER_MS)
}

function show(next: boolean) {
  if (next === isDown) return
  isDown = next
  for (const reader of readers) reader()
}

/** The session may have ended: a call finds out, and its 401 leads to the login like any other (SPEC §2). */
function onRefused() {
  if ([...wanted.keys()].some((topic) => topic.startsWith('me:')))
    call('GET /api/v1/auth/me/lite', { isWebRequest: true }).catch(() => undefined)
}

function subscribe(reader: () => void) {
  readers.add(reader)
  return () => void readers.delete(reader)
}
