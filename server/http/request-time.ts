import type { FastifyInstance } from 'fastify'

const BODY_WITHIN_MS = 30_000

/** Node waits equally long for every request; this is for the slowest of them, a video from a telephone. */
export const LONGEST_REQUEST_MS = 15 * 60_000

/** A body is here within half a minute, or within what its route allows: a sender who dawdles holds no connection for long. */
export function limitRequestTime(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    // a call without a body is complete by now, or was never going to send one
    if (raw.complete || raw.method === 'GET' || raw.method === 'HEAD') return
    const hangUp = () => void (raw.complete || raw.destroy())
    // a body that is refused before it is read never says that it closed: a server that stops does not wait for this
    const timer = setTimeout(hangUp, request.routeOptions.config.bodyWithinMs ?? BODY_WITHIN_MS).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyWithinMs?: number
  }
}
