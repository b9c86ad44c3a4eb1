import { useSyncExternalStore } from 'react'
import { frameSentences } from '#contract/values/frame-sentences.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'

/** SPEC §3 "In-app notification entry". */
export type Notice = {
  id: number
  type: 'success' | 'danger'
  title: string
  body?: string
  /** A picture's address. */
  image?: string
  action?: { label: string; handler: () => void }
  /** How often an equal error came while its card stood there. */
  times?: number
  /** Stands at the bell as well, so that its card may give way. */
  isKept?: boolean
}

let notices: readonly Notice[] = []
let lastId = 0
const readers = new Set<() => void>()

// more errors than these say nothing that the newest ones do not, and more news than these hide the page
const MOST = 3

/** SPEC §4: added at the front, removed by id. An error equal to one that stands there takes its place; the oldest give way. */
export function notify(notice: Omit<Notice, 'id' | 'times'>): Notice['id'] {
  const equal = notice.type === 'danger' ? notices.find((other) => isEqual(notice, other)) : undefined
  const added = { ...notice, id: ++lastId, ...(equal && { times: (equal.times ?? 1) + 1 }) }
  const next = [added, ...notices.filter((other) => other !== equal)]
  let errors = 0
  let kept = 0
  change(next.filter(({ type, isKept }) => (type !== 'danger' || ++errors <= MOST) && (!isKept || ++kept <= MOST)))
  return lastId
}

const isEqual = (one: Omit<Notice, 'id'>, other: Notice) => one.type === other.type && one.title === other.title && one.body === other.body

export const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id))

/** The list at the bell is open: it shows them all. */
export const dismissKept = (): void => change(notices.filter(({ isKept }) => !isKept))

export const saySuccess = (title: string, body?: string): void => void notify({ type: 'success', title, ...(body && { body }) })

/** SPEC §8: any error that no field can show, with the way to try again where that may help. */
export function sayError(error: unknown, retry?: () => void, title: string = frameSentences.errorTitle): void {
  if (error instanceof ApiError && (error.code === 'cancelled' || error.status === 401)) return
  const canRetry = retry && error instanceof ApiError && error.canRetry
  notify({
    type: 'danger',
    title,
    body: messageOf(error),
    ...(canRetry && { action: { label: 'Try again', handler: retry } }),
  })
}

export const useNotices = (): readonly Notice[] => useSyncExternalStore(subscribe, () => notices)

function subscribe(reader: () => void) {
  readers.add(reader)
  return () => void readers.delete(reader)
}

function change(next: readonly Notice[]) {
  notices = next
  for (const reader of readers) reader()
}
