import type { Notification } from '#contract/notifications.ts'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import { dismiss, dismissKept, notify } from '#web/api/notices.ts'
import { markRead } from '#web/features/notifications/queries.ts'
import { isLeader } from '#web/live/leader.ts'

// SPEC §2: what arrives while the product is open is said in a card. One tab says it, once, and not where it is on the screen already.

export type CardOptions = { isOnScreen: (one: Notification) => boolean; onOpen: (link: string) => void }

const MOST_CARDS = 3
const bad: readonly NotificationKind[] = ['outbid', 'sale_stopped']

/** By listing: a newer card about it replaces the older. */
const standing = new Map<string, number>()

/** Newest first, as the server sends them. */
export function showCards(news: readonly Notification[], options: CardOptions): void {
  for (const one of news.slice(0, MOST_CARDS).toReversed()) void whenItIsOurs(one.id, () => show(one, options))
}

let openLists = 0

/** While the list is on the screen, it says what arrives. */
export function replaceCardsByList(): () => void {
  openLists++
  dismissKept()
  return () => void openLists--
}

/** It is no longer so: the user leads again. */
export function withdrawCard(listingId: string): void {
  const id = standing.get(listingId)
  if (id !== undefined) dismiss(id)
  standing.delete(listingId)
}

function show(one: Notification, { isOnScreen, onOpen }: CardOptions) {
  if (document.visibilityState === 'visible' && (openLists > 0 || isOnScreen(one))) return
  const { id, kind, title, body, action, link, listing_id, listing_thumbnail, thumbnail } = one
  const image = listing_thumbnail ?? thumbnail
  const handler = () => {
    void markRead(id)
    onOpen(link)
  }
  if (listing_id) withdrawCard(listing_id)
  const card = notify({
    type: bad.includes(kind) ? 'danger' : 'success',
    title,
    body,
    ...(image && { image }),
    action: { label: action, handler },
    isKept: true,
  })
  if (listing_id) standing.set(listing_id, card)
}

const VISIBLE_FIRST_MS = 300

/** The visible tab shows it; where none is, the one that leads, for when somebody looks again. */
async function whenItIsOurs(id: string, tell: () => void) {
  if (document.visibilityState !== 'visible') {
    if (!isLeader()) return
    await new Promise((resolve) => setTimeout(resolve, VISIBLE_FIRST_MS))
  }
  const isOurs = 'locks' in navigator ? await navigator.locks.request('cards', () => takeOnce(id)) : takeOnce(id)
  if (!isOurs) return
  await whenVisible()
  tell()
}

/** A card goes by itself after a while: not before somebody could see it. */
const whenVisible = () =>
  document.visibilityState === 'visible'
    ? Promise.resolve()
    : new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))

const SHOWN = 'shown_cards'
const MOST_REMEMBERED = 100
/** Where storage is switched off, each tab remembers for itself. */
let remembered: string[] = []

function takeOnce(id: string): boolean {
  const shown = readShown()
  if (shown.includes(id)) return false
  remembered = [id, ...shown].slice(0, MOST_REMEMBERED)
  try {
    localStorage.setItem(SHOWN, JSON.stringify(remembered))
  } catch {
    // remembered here alone
  }
  return true
}

function readShown(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SHOWN) ?? '[]')
    return Array.isArray(stored) ? stored : remembered
  } catch {
    return remembered
  }
}
