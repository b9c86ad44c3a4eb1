import { call } from '#web/api/api.ts'

// Push messages to this browser. The worker (public/push-worker.js) shows them and caches nothing.

export type PushState = 'on' | 'off' | 'blocked' | 'only_installed' | 'insecure' | 'unsupported'

export const hasPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

export async function readPushState(): Promise<PushState> {
  if (!hasPush()) return whyNot()
  if (Notification.permission === 'denied') return 'blocked'
  return (await ownSubscription()) && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Asks the browser's user, subscribes, and tells the server. Answers what came of it. */
export async function turnPushOn(userId: string, publicKey: string): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  await navigator.serviceWorker.register('/push-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  await tellServer(userId, subscription)
  return 'on'
}

/** The address ends at the push service too: also when the server does not hear of it, nothing arrives here any more. */
export async function turnPushOff(): Promise<void> {
  const subscription = await ownSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await Promise.allSettled([
    call('DELETE /api/v1/push-subscriptions', { body: { endpoint }, skipAuthRedirect: true }),
    subscription.unsubscribe(),
  ])
  remember(null)
}

/** Browsers change the address now and then, and another user may have logged in: the server is told of the one that counts. */
export async function renewPush(userId: string): Promise<void> {
  const subscription = hasPush() && Notification.permission === 'granted' ? await ownSubscription() : null
  if (subscription && remembered() !== memoryOf(userId, subscription)) await tellServer(userId, subscription)
}

/** A push message that was clicked opens in the page itself: nothing typed is lost. */
export function hearPushClicks(onOpen: (link: string) => void): () => void {
  if (!hasPush()) return () => {}
  const onMessage = ({ data }: MessageEvent<{ open?: string }>) => data.open && onOpen(data.open)
  navigator.serviceWorker.addEventListener('message', onMessage)
  return () => navigator.serviceWorker.removeEventListener('message', onMessage)
}

async function tellServer(userId: string, subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await call('POST /api/v1/push-subscriptions', { body: { endpoint, keys: { p256dh, auth } } })
  remember(memoryOf(userId, subscription))
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** iPhones and iPads have push in the installed app alone (RULES §6). */
function whyNot(): PushState {
  if (!isSecureContext) return 'insecure'
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return isApple ? 'only_installed' : 'unsupported'
}

const PUSHED_TO = 'push_told'
const memoryOf = (userId: string, { endpoint }: PushSubscription) => `${userId} ${endpoint}`

function remember(memory: string | null) {
  try {
    if (memory === null) localStorage.removeItem(PUSHED_TO)
    else localStorage.setItem(PUSHED_TO, memory)
  } catch {
    // storage is switched off: the server is told again next time
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(PUSHED_TO)
  } catch {
    return null
  }
}
