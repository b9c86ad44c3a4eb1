import type { Socket } from 'node:net'
import { isLoopback, networkOf } from '#server/http/attempts.ts'
import { refuse } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'

// a browser has one, however many tabs: enough for an office behind one address
const MOST_STREAMS = 30
const RETRY_AFTER_SECONDS = 30

/** Streams that are open at once in this process, counted by user and, of visitors, by network. */
export function streamLimit() {
  const open = new Map<string, number>()

  return (viewer: Viewer, ip: string, socket: Socket): void => {
    // this machine, or a proxy on it that does not say for whom it asks: everybody would be one visitor
    if (!viewer.user && isLoopback(ip)) return
    // who has left already is not seen leaving
    if (socket.destroyed) return
    const whose = viewer.user?.id ?? networkOf(ip)
    const count = open.get(whose) ?? 0
    if (count >= MOST_STREAMS)
      throw refuse('too_many_attempts', 'Too many live connections from here. Close some of the windows that are open.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    open.set(whose, count + 1)
    socket.once('close', () => {
      const left = (open.get(whose) ?? 1) - 1
      if (left > 0) open.set(whose, left)
      else open.delete(whose)
    })
  }
}
