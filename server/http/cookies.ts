import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'

// The two cookies: the session's token, which only the server reads, and XSRF-TOKEN, which the page echoes in a header.

const CSRF_COOKIE = 'XSRF-TOKEN'
const CSRF_HEADER = 'x-xsrf-token'
const thirtyDays = 30 * 24 * 60 * 60

export type Cookies = ReturnType<typeof cookiesFor>

export function cookiesFor({ publicUrl, secret }: { publicUrl: string; secret: string }) {
  const own = new URL(publicUrl)
  // Over plain http a browser drops a Secure cookie and nobody could log in: WebKit on localhost too, every one under another
  // name (a phone on the yard's network, trying the sandbox).
  const secure = own.protocol === 'https:'
  const sessionCookie = secure ? '__Host-sid' : 'sid'
  const attributes = { path: '/', sameSite: 'lax', secure } as const

  const sign = (nonce: string, tokenHash: Buffer | null) =>
    createHmac('sha256', secret)
      .update(nonce)
      .update('.')
      .update(tokenHash ?? 'visitor')
      .digest('base64url')

  const newCsrfToken = (tokenHash: Buffer | null) => {
    const nonce = randomBytes(16).toString('base64url')
    return `${nonce}.${sign(nonce, tokenHash)}`
  }

  const isOwn = (token: string, tokenHash: Buffer | null) => {
    const [nonce = '', signature = ''] = token.split('.')
    const expected = Buffer.from(sign(nonce, tokenHash))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  return {
    readToken: (request: FastifyRequest) => request.cookies[sessionCookie],

    setCsrf(reply: FastifyReply, tokenHash: Buffer | null) {
      reply.setCookie(CSRF_COOKIE, newCsrfToken(tokenHash), { ...attributes, maxAge: thirtyDays })
    },

    /** A login, or a changed password: a session of its own with a CSRF token that fits no other. */
    setSession(reply: FastifyReply, session: { token: string; tokenHash: Buffer }) {
      reply.setCookie(sessionCookie, session.token, { ...attributes, httpOnly: true, maxAge: thirtyDays })
      this.setCsrf(reply, session.tokenHash)
    },

    clearSession(reply: FastifyReply) {
      reply.clearCookie(sessionCookie, { ...attributes, httpOnly: true })
      this.setCsrf(reply, null)
    },

    /** Refuses what another site's page asks for. */
    checkOrigin: (request: FastifyRequest) => refuseForeignOrigin(request, own.origin),

    /** Refuses a change that another site's page may have sent. */
    checkCsrf(request: FastifyRequest, viewer: Viewer) {
      refuseForeignOrigin(request, own.origin)
      const header = request.headers[CSRF_HEADER]
      const matches = typeof header === 'string' && header === request.cookies[CSRF_COOKIE] && isOwn(header, viewer.tokenHash)
      if (!matches) throw refuse('csrf_token_mismatch', 'This page has been open for too long. Please try again.')
    },
  }
}

function refuseForeignOrigin(request: FastifyRequest, ownOrigin: string) {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const sameOrigin = origin === undefined || origin === ownOrigin || (URL.canParse(origin) && new URL(origin).host === request.host)
  const sameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (!sameOrigin || !sameSite) throw refuse('forbidden', 'This call must come from our own pages.', { code: 'foreign_origin' })
}
