import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions, type RouteOptions } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type pg from 'pg'
import { rolesAllowed } from '#contract/endpoint.ts'
import { BODY_LIMIT_BYTES } from '#contract/values/limits.ts'
import { accountRoutes, type AccountDeps } from '#server/features/account/routes.ts'
import { secondFactorRoutes } from '#server/features/account/second-factor-routes.ts'
import { activityRoutes } from '#server/features/activity/routes.ts'
import { auditRoutes } from '#server/features/audit/routes.ts'
import { bidRoutes, type BidDeps } from '#server/features/bids/routes.ts'
import { healthRoutes } from '#server/features/config/health.ts'
import { chatRoutes } from '#server/features/chat/routes.ts'
import { configRoutes, type ConfigDeps } from '#server/features/config/routes.ts'
import { deletionRoutes } from '#server/features/deletion/routes.ts'
import { documentRoutes, type DocumentDeps } from '#server/features/documents/routes.ts'
import { listingReader } from '#server/features/listings/public.ts'
import { listingRoutes, type ListingDeps } from '#server/features/listings/routes.ts'
import { locationRoutes } from '#server/features/location/routes.ts'
import { notificationRoutes, type NotificationDeps } from '#server/features/notifications/routes.ts'
import type { UnsubscribeTokens } from '#server/features/notifications/unsubscribe.ts'
import { unsubscribeRoutes } from '#server/features/notifications/unsubscribe-routes.ts'
import { marketRoutes } from '#server/features/market/routes.ts'
import { onboardingRoutes } from '#server/features/onboarding/routes.ts'
import { paperRoutes } from '#server/features/papers/routes.ts'
import { pay, type PayDeps } from '#server/features/paying/public.ts'
import { payingRoutes } from '#server/features/paying/routes.ts'
import { paymentRoutes } from '#server/features/payments/routes.ts'
import { preferenceRoutes } from '#server/features/preferences/routes.ts'
import { webhookRoute } from '#server/features/provider-events/webhook.ts'
import { saleRoutes } from '#server/features/sales/routes.ts'
import { savedSearchRoutes } from '#server/features/saved-searches/routes.ts'
import { searchRoutes, type SearchDeps } from '#server/features/search/routes.ts'
import { storageRoutes } from '#server/features/storage/routes.ts'
import { adminCouponRoutes } from '#server/features/subscription/admin-routes.ts'
import { adminTermsRoutes } from '#server/features/sales/terms/routes.ts'
import { subscriptionRoutes } from '#server/features/subscription/routes.ts'
import { auditCalls, auditOf } from '#server/http/audit.ts'
import { limitConnections, limitReadTime, proxiesOf, type ConnectionLimits } from '#server/http/connections.ts'
import { describeApi, serveDocs } from '#server/http/docs/docs.ts'
import { errorHandler, notFound } from '#server/http/errors.ts'
import { everyAnswer, setSecurityHeaders } from '#server/http/headers.ts'
import { limitRequestTime, LONGEST_REQUEST_MS } from '#server/http/request-time.ts'
import { checkAccess, checkMoneyCall } from '#server/http/serve.ts'
import { sessionFinder } from '#server/http/session.ts'
import { traceOf, visitor } from '#server/http/viewer.ts'
import { serveWeb } from '#server/http/web.ts'
import { liveRoutes, type LiveDeps } from '#server/live/routes.ts'
import type { AddressBook } from '#server/providers/addresses.ts'

/** Everything that one feature or another acts with; each declares what it needs itself. */
export type AppDeps = ConfigDeps &
  AccountDeps &
  DocumentDeps &
  ListingDeps &
  SearchDeps &
  BidDeps &
  LiveDeps &
  NotificationDeps &
  PayDeps & { addresses: AddressBook; tokens: UnsubscribeTokens }

export type AppOptions = {
  deps: AppDeps
  trustProxy: string[]
  connections: ConnectionLimits
  logger: FastifyServerOptions['logger']
  /** The built web app; null serves the interface alone. */
  webDir: string | null
  /** Further routes, such as the sandbox's own pages. */
  more?: (app: FastifyInstance) => void | Promise<void>
}

const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The whole HTTP side, not yet listening: main.ts and the tests start it alike. */
export async function buildApp({ deps, trustProxy, connections, logger, webDir, more }: AppOptions): Promise<FastifyInstance> {
  const app = newApp({ trustProxy, connections, logger, supportEmail: deps.config.supportEmail })
  const routes = requireAccess(app)
  setSecurityHeaders(app, deps.appVersion, { store: deps.files.origin, payment: deps.payment })
  limitRequestTime(app)
  await app.register(cookie)
  await app.register(compress, { threshold: 1_024 })
  guard(app, deps)
  auditCalls(app, deps.db)
  logRequests(app)

  await describeApi(app, deps.appVersion)
  configRoutes(app, deps)
  healthRoutes(app, deps)
  accountRoutes(app, deps)
  secondFactorRoutes(app, deps)
  deletionRoutes(app, deps)
  onboardingRoutes(app, deps)
  documentRoutes(app, deps)
  locationRoutes(app, deps)
  await storageRoutes(app, deps)
  searchRoutes(app, deps)
  listingRoutes(app, deps)
  paperRoutes(app, deps)
  saleRoutes(app, { ...deps, listings: listingReader(deps), pay: (request) => pay(deps, request) })
  payingRoutes(app, deps)
  bidRoutes(app, deps)
  activityRoutes(app, deps)
  liveRoutes(app, deps)
  chatRoutes(app, deps)
  savedSearchRoutes(app, deps)
  marketRoutes(app, deps)
  preferenceRoutes(app, deps)
  notificationRoutes(app, deps)
  await unsubscribeRoutes(app, deps)
  paymentRoutes(app, deps)
  subscriptionRoutes(app, deps)
  adminCouponRoutes(app, deps)
  adminTermsRoutes(app, deps)
  auditRoutes(app, deps)
  await webhookRoute(app, deps)
  await more?.(app)
  await serveDocs(app)
  await serveWeb(app, webDir)
  app.decorate('routeTable', routes)
  await app.ready()
  return app
}

/** What a process without the HTTP side serves: whether it lives, and whether it can work. */
export async function buildWorkerApp({
  auctionPool,
  ...bare
}: Omit<BareApp, 'trustProxy'> & { auctionPool: pg.Pool }): Promise<FastifyInstance> {
  const app = newApp({ ...bare, trustProxy: [] })
  healthRoutes(app, { auctionPool })
  await app.ready()
  return app
}

type BareApp = Pick<AppOptions, 'trustProxy' | 'connections' | 'logger'> & { supportEmail: string }

function newApp({ trustProxy, connections, logger, supportEmail }: BareApp): FastifyInstance {
  const handleError = errorHandler(supportEmail)
  const app = Fastify({
    ...(logger !== undefined && { logger }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: LONGEST_REQUEST_MS,
    connectionTimeout: connections.readWithinMs,
    keepAliveTimeout: 10_000,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 2_000 },
    // an address that cannot be read meets no hook, and so no headers but these
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply.headers(everyAnswer)),
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: 'idle',
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.removeContentTypeParser('text/plain')
  limitConnections(app.server, connections, proxiesOf(trustProxy))
  limitReadTime(app)
  return app
}

/** Who calls, whether the page is ours, and whether this caller may: in this order, before a body is read. */
function guard(app: FastifyInstance, { db, cookies, config }: Pick<AppDeps, 'db' | 'cookies' | 'config'>) {
  const findSession = sessionFinder(db, { staffNeedSecondFactor: !config.sandbox })
  app.decorateRequest('viewer')
  app.addHook('onRequest', async (request) => {
    request.viewer = visitor
    if (request.is404) return
    const { access, permission, movesMoney, csrf = true, session = true } = request.routeOptions.config
    if (!access) throw notFound()
    const token = session ? cookies.readToken(request) : undefined
    request.viewer = (token && (await findSession(token))) || visitor
    // a session that ended took its CSRF token along: say that it ended
    if (token && request.viewer.caller === 'visitor') checkAccess(visitor, access, permission)
    if (csrf && changes.has(request.method)) cookies.checkCsrf(request, request.viewer)
    checkAccess(request.viewer, access, permission)
    if (rolesAllowed[access]) request.audit = auditOf(request, request.viewer)
    if (movesMoney) checkMoneyCall(request)
  })
}

/** Every route says who may call it. One that does not fails the start. */
function requireAccess(app: FastifyInstance): RouteOptions[] {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const open = routes.filter((route) => !route.config?.access).map((route) => `${String(route.method)} ${route.url}`)
    if (open.length > 0) throw new Error(`these routes do not say who may call them: ${open.join(', ')}`)
    const unaudited = routes.filter(({ config }) => config?.access && rolesAllowed[config.access] && !config.audit).map(({ url }) => url)
    if (unaudited.length > 0) throw new Error(`these routes of the back office do not say how they are audited: ${unaudited.join(', ')}`)
    const unexplained = routes.filter(({ config, schema }) => config?.movesMoney && !asksForReason(schema?.body)).map(({ url }) => url)
    if (unexplained.length > 0) throw new Error(`these routes move money without a reason: ${unexplained.join(', ')}`)
  })
  return routes
}

const asksForReason = (body: unknown) => Object.hasOwn((body as { shape?: object } | undefined)?.shape ?? {}, 'reason')

function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      { ...traceOf(request), event: 'request', method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
}

// browsers open connections ahead of need: they ask again after a 408 that met their first request half way, after a 400 they do not
const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is not HTTP at all, or too much of it, gets an answer with the same headers and no explanation. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const status = unreadable[error.code ?? ''] ?? '400 Bad Request'
  const body = JSON.stringify({ message: 'The request could not be read.', code: 'malformed' })
  const headers = Object.entries({
    ...everyAnswer,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`)
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteOptions[]
  }
}
