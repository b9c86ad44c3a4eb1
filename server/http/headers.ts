import type { FastifyInstance } from 'fastify'

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
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

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=(), payment=(self)',
  'x-frame-options': 'DENY',
} as const

// answers are somebody's own until a route says otherwise (static files do)
export const everyAnswer = { ...securityHeaders, 'cache-control': 'no-store' } as const

/** Files of people may come from a store with an origin of its own, to which browsers also send them. */
export function setSecurityHeaders(app: FastifyInstance, appVersion: string, storeOrigin: string | null) {
  const withStore = (policy: string) => policy.replace(/(?:img|media|connect)-src [^;]*/g, (rule) => `${rule} ${storeOrigin}`)
  const headers = storeOrigin ? { ...everyAnswer, 'content-security-policy': withStore(contentSecurityPolicy) } : everyAnswer
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
    reply.header('x-app-version', appVersion)
  })
}
