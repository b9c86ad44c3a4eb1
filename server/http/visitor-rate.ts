import { isLoopback, networkOf } from '#server/http/attempts.ts'
import { refuse } from '#server/http/errors.ts'
import type { FastifyRequest } from 'fastify'

const WINDOW_MS = 60_000

/**
 * Refuses an address whose visitors ask more often than this in a minute. Counted in this process alone: a row in the database for
 * each search would cost more than the search. Members are not counted. Neither is this machine's own address, behind which a proxy
 * that is not trusted would hide everybody at once.
 */
export function limitVisitors(allowed: number): (request: FastifyRequest) => void {
  let counts = new Map<string, number>()
  let since = performance.now()
  return ({ viewer, ip }) => {
    if (viewer.caller !== 'visitor' || isLoopback(ip)) return
    const now = performance.now()
    if (now - since >= WINDOW_MS) [counts, since] = [new Map(), now]
    const network = networkOf(ip)
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (count <= allowed) return
    const retryAfterSeconds = Math.ceil((since + WINDOW_MS - now) / 1_000)
    throw refuse('too_many_attempts', 'Too many searches from your network. Please try again in a minute, or log in.', {
      retryAfterSeconds,
    })
  }
}
