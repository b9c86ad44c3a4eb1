import type { FastifyRequest } from 'fastify'
import type { Caller } from '#contract/endpoint.ts'
import type { SessionUser } from '#server/http/session.ts'

/** Who is calling. A visitor has no user; everybody else has, with the tier and the state of this very moment. */
export type SignedIn = { caller: Exclude<Caller, 'visitor'>; user: SessionUser; tokenHash: Buffer; isPasswordFresh: boolean }
export type Visitor = { caller: 'visitor'; user: null; tokenHash: null }
export type Viewer = SignedIn | Visitor

export const visitor: Visitor = { caller: 'visitor', user: null, tokenHash: null }

/** What log lines say of a request: who and where from, never what was typed. A request that could not be read has no viewer. */
export const traceOf = (request: FastifyRequest) => ({
  user_id: (request.viewer as Viewer | undefined)?.user?.id,
  ip: request.ip,
  route: request.routeOptions.url,
})

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer
  }
}
