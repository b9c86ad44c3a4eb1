import type { FastifyInstance } from 'fastify'

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The documentation page draws itself with an inline script, and nothing else of ours is served under it. */
export const docsContentSecurityPolicy = contentSecurityPolicy
  .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=(), payment=(self)',
  'x-frame-options': 'DENY',
} as const

export function setSecurityHeaders(app: FastifyInstance, appVersion: string) {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
    // answers are somebody's own until a route says otherwise (static files do)
    reply.header('cache-control', 'no-store')
    reply.header('x-app-version', appVersion)
  })
}
