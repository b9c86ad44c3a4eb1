import type { LiveEvent } from '#web/live/connection.ts'
import { newId } from '#web/sending/new-id.ts'

/** What the tabs of one browser tell each other. */
type Messages = {
  /** The leading tab is alive. */
  beat: object
  /** Is the leading tab alive? */
  ping: object
  /** Whether the live stream stands. */
  up: { isUp: boolean }
  event: { event: LiveEvent; after: number | undefined }
  wants: { tab: string; topics: string[] }
  bye: { tab: string }
  /** Every tab says what it wants. */
  who: object
  /** When the user last clicked, moved the mouse or pressed a key. */
  active: { at: number }
  /** When the leading tab polled, and what it was answered with. */
  polled: { at: number; answer: unknown }
}
type Type = keyof Messages

const channel = 'BroadcastChannel' in window ? new BroadcastChannel('live') : undefined

export const tabId = newId()
export const canTalk = channel !== undefined

export const send = <T extends Type>(type: T, message: Messages[T]): void => channel?.postMessage({ type, message })

export function hear<T extends Type>(type: T, listener: (message: Messages[T]) => void): () => void {
  const onMessage = ({ data }: MessageEvent<{ type: Type; message: Messages[T] }>) => data.type === type && listener(data.message)
  channel?.addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}
