import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  callersAllowed,
  rolesAllowed,
  type Access,
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  type Method,
} from '#contract/endpoint.ts'
import { permissionsOf, type Permission } from '#contract/values/permissions.ts'
import type { Audit } from '#server/http/audit.ts'
import { accountDeleted, notFound, refuse, refuseRole } from '#server/http/errors.ts'
import { requireKey } from '#server/http/idempotency.ts'
import { refuseStalePassword } from '#server/http/session.ts'
import type { SignedIn, Viewer } from '#server/http/viewer.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<R> = R extends z.ZodType ? z.input<R> : void

export type Handler<E extends Endpoint> = (call: {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
  viewer: E['access'] extends 'anyone' ? Viewer : SignedIn
  audit: E['access'] extends 'staff' | 'admin' ? Audit : undefined
  request: FastifyRequest
  reply: FastifyReply
}) => Promise<Sent<E['replies'][keyof E['replies']]>>

export type Handlers<T extends Endpoints> = { [K in keyof T]: T[K] extends Endpoint ? Handler<T[K]> : never }

/** Turns a table of endpoints into routes. Each endpoint must have its handler: the compiler sees to it. */
export function serve<T extends Endpoints>(app: FastifyInstance, table: T, handlers: Handlers<T>): void {
  for (const key of Object.keys(table) as EndpointKey[])
    addRoute(app, key, table[key] as Endpoint, (handlers as Record<string, AnyHandler>)[key] as AnyHandler)
}

type AnyHandler = (call: never) => Promise<unknown>

function addRoute(app: FastifyInstance, key: EndpointKey, endpoint: Endpoint, handler: AnyHandler) {
  const [method, path] = key.split(' ') as [Method, string]
  const [[status, reply] = ['204', null]] = Object.entries(endpoint.replies)
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      access: endpoint.access,
      permission: endpoint.permission,
      session: endpoint.session,
      audit: endpoint.audit,
      movesMoney: endpoint.moves_money,
    },
    schema: {
      summary: endpoint.summary,
      tags: [tagOf(path)],
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(reply && { response: { [status]: reply } }),
    },
    handler: async (request, response) => {
      const { params, query, body, viewer, audit } = request
      // the cast is the border: Fastify has parsed all three by this endpoint's own schemas
      const answer = await handler({ params, query, body, viewer, audit, request, reply: response } as never)
      return response.code(Number(status)).send(answer)
    },
  })
}

/** The documentation's chapters: `/api/v1/location/…` is location, `/auth/login` auth, what no feature owns is the service itself. */
function tagOf(path: string): string {
  const [first, , feature = 'service'] = path.slice(1).split('/')
  if (first === 'api') return feature
  return first === 'auth' ? first : 'service'
}

/** Who gets in. The back office is not there for anybody without a role. */
export function checkAccess(viewer: Viewer, access: Access, permission: Permission | undefined): void {
  const allowed: readonly string[] = callersAllowed[access]
  if (!allowed.includes(viewer.caller)) throw whyNot[viewer.caller]()
  const needed = rolesAllowed[access]
  if (needed && !viewer.user?.role) throw notFound()
  if (needed && !needed.some((role) => role === viewer.user?.role)) throw refuseRole()
  if (permission && viewer.user && !permissionsOf(viewer.user.tier)[permission].enabled) {
    const says = `Your plan does not include this (${permission}). Change your plan under Account, Subscriptions.`
    throw refuse('forbidden', says, { code: 'permission_missing' })
  }
}

/** What moves money is done by the person at the keyboard, and once. */
export function checkMoneyCall(request: Pick<FastifyRequest, 'viewer' | 'headers'>): void {
  if (request.viewer.user) refuseStalePassword(request.viewer)
  requireKey(request)
}

const whyNot: Record<Viewer['caller'], () => Error> = {
  visitor: () => refuse('unauthenticated', 'Please log in.'),
  temporary_password: () =>
    refuse('forbidden', 'You are using a temporary password. Choose a password of your own first.', { code: 'password_change_required' }),
  unenrolled: () =>
    refuse('forbidden', 'Your role needs a second factor. Set one up first, with an authenticator app.', {
      code: 'second_factor_required',
    }),
  deleted: accountDeleted,
  member: () => refuse('forbidden', 'This is only for a deleted account.', { code: 'account_not_deleted' }),
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    permission?: Permission | undefined
    /** False where the address itself is the credential, and no other site can know it. */
    csrf?: false
    /** False where the session is not looked up. */
    session?: false | undefined
    /** The name under which a call of the back office stands in the audit log. */
    audit?: string | undefined
    /** Asks for a password that was given a moment ago, and for an idempotency key. */
    movesMoney?: true | undefined
  }
}
