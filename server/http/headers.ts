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

/** The documentation page adds its style sheet by a script: the nonce lets in this one alone. */
export const docsContentSecurityPolicy = (nonce: string) =>
  contentSecurityPolicy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)

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

/** Other origins that pages need: the store of people's files, and the payment provider. */
export type OtherOrigins = { store: string | null; payment: { apiBase: string | null } }

/** Stripe's own script and frames (its documentation's list), or the sandbox's address, to which the card form speaks. */
const ofPayment = ({ apiBase }: OtherOrigins['payment']): Record<string, string> =>
  apiBase
    ? { connect: apiBase }
    : {
        script: 'https://js.stripe.com https://*.js.stripe.com',
        connect: 'https://api.stripe.com',
        frame: "'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
        img: 'https://*.stripe.com',
      }

function policyFor({ store, payment }: OtherOrigins): string {
  const ofStore = store ? { img: store, media: store, connect: store } : {}
  let policy = contentSecurityPolicy
  for (const origins of [ofStore, ofPayment(payment)]) {
    for (const [kind, allowed] of Object.entries(origins)) {
      const rule = new RegExp(`(?<![\\w-])${kind}-src [^;]*`)
      policy = rule.test(policy) ? policy.replace(rule, (given) => `${given} ${allowed}`) : `${policy}; ${kind}-src ${allowed}`
    }
  }
  return policy
}

export function setSecurityHeaders(app: FastifyInstance, appVersion: string, origins: OtherOrigins) {
  const headers = { ...everyAnswer, 'content-security-policy': policyFor(origins) }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
    reply.header('x-app-version', appVersion)
  })
}
