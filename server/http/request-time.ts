import type { FastifyInstance } from 'fastify'

const BODY_WITHIN_MS = 30_000

/** Node has one time limit for all requests: this fits the slowest of them, a video sent from a phone. */
export const LONGEST_REQUEST_MS = 15 * 60_000

/** Closes the connection of a request whose body has not arrived within half a minute, or within its route's own limit. */
export function limitRequestTime(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    // a request without a body is complete already
    if (raw.complete || raw.method === 'GET' || raw.method === 'HEAD') return
    const hangUp = () => void (raw.complete || raw.destroy())
    // unref: a request refused before its body was read emits no 'close', and must not delay the server's stop
    const timer = setTimeout(hangUp, request.routeOptions.config.bodyWithinMs ?? BODY_WITHIN_MS).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyWithinMs?: number
  }
}
