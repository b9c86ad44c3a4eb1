import { createDecipheriv, createECDH, createPublicKey, randomBytes, randomUUID, verify, type ECDH } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { contentKeys } from '#server/providers/push-encryption.ts'

// A push service and its browsers, in memory: it hands out subscriptions as a browser does, takes messages as a push service does
// (RFC 8030), and decrypts them as the browser would.

export type PushedMessage = { payload: unknown; ttl: string; urgency: string; topic: string; subject: string; at: string }

type Browser = { pair: ECDH; auth: Buffer; messages: PushedMessage[]; isGone: boolean }

const MOST_BROWSERS = 1_000
const MOST_MESSAGES = 200

export function pushPages(app: FastifyInstance): void {
  const browsers = new Map<string, Browser>()
  const open = { config: { access: 'anyone' as const, csrf: false as const, session: false as const }, schema: { hide: true } }

  // aes128gcm is an encoding of the body that only its reader can undo
  const sealed = { ...open, decompress: false as const }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    /** What `pushManager.subscribe` gives in a browser. */
    scope.post('/sandbox/push', open, async (request, reply) => {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const id = randomUUID()
      browsers.set(id, { pair, auth, messages: [], isGone: false })
      const [oldest] = browsers.keys()
      if (browsers.size > MOST_BROWSERS && oldest) browsers.delete(oldest)
      const endpoint = `${request.protocol}://${request.host}/sandbox/push/${id}`
      return reply.code(201).send({ endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } })
    })

    scope.post<{ Params: { id: string } }>('/sandbox/push/:id', sealed, async ({ params, headers, body, protocol, host }, reply) => {
      const browser = browsers.get(params.id)
      if (!browser || browser.isGone) return reply.code(410).send()
      const subject = subjectOf(String(headers.authorization), `${protocol}://${host}`)
      if (subject === undefined) return reply.code(403).send()
      const text = Buffer.isBuffer(body) ? decrypt(body, browser) : undefined
      if (text === undefined || headers['content-encoding'] !== 'aes128gcm') return reply.code(400).send()
      browser.messages.unshift({
        payload: JSON.parse(text) as unknown,
        ttl: String(headers['ttl']),
        urgency: String(headers['urgency']),
        topic: String(headers['topic']),
        subject,
        at: new Date().toISOString(),
      })
      browser.messages.length = Math.min(browser.messages.length, MOST_MESSAGES)
      return reply.code(201).send()
    })

    /** What the browser would have shown, newest first. */
    scope.get<{ Params: { id: string } }>('/sandbox/push/:id', open, async ({ params }, reply) => {
      const browser = browsers.get(params.id)
      return browser ? { data: browser.messages } : reply.code(404).send({ message: 'There is no such browser.' })
    })

    /** The browser unsubscribes without a word to us: the next message to it is answered with 410. */
    scope.delete<{ Params: { id: string } }>('/sandbox/push/:id', open, async ({ params }, reply) => {
      const browser = browsers.get(params.id)
      if (browser) browser.isGone = true
      return reply.code(204).send()
    })
  })
}

/** RFC 8292: who signed it, if the signature is right, meant for this service and not too old. */
function subjectOf(authorization: string, origin: string): string | undefined {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return undefined
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) return undefined
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number; sub: string }
  return aud === origin && exp * 1_000 > Date.now() ? sub : undefined
}

/** RFC 8188 and 8291; undefined where the message cannot be read. */
function decrypt(body: Buffer, { pair, auth }: Browser): string | undefined {
  const keyLength = body[20] ?? 0
  const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 21 + keyLength), body.subarray(21 + keyLength)]
  try {
    const { key, nonce } = contentKeys({ secret: pair.computeSecret(sender), auth, salt, receiver: pair.getPublicKey(), sender })
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return padded.subarray(0, padded.lastIndexOf(2)).toString()
  } catch {
    return undefined
  }
}
