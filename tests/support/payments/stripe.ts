import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { Stripe } from 'stripe'
import {
  SANDBOX_PUBLISHABLE_KEY,
  SANDBOX_SECRET_KEY,
  startStripeSandbox,
  type SandboxOptions,
  type StripeSandbox,
} from '#sandbox/stripe/server.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'

export type OpenSandbox = StripeSandbox & {
  /** The SDK with the secret key: no retries, so that a test sees each answer. */
  stripe: Stripe
  /** A call beside the SDK: `sandbox('POST', '/sandbox/faults', { slow_ms: 5 })`. */
  call: (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>
  /** Sets the database's clock this far ahead of the real one, and does what is due by then. */
  travel: (interval: string) => Promise<void>
}

export async function openStripeSandbox(databaseUrl: string, options: Partial<SandboxOptions> = {}): Promise<OpenSandbox> {
  const sandbox = await startStripeSandbox({ databaseUrl, ...options })
  const call: OpenSandbox['call'] = async (method, path, body) => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const answer = await fetch(sandbox.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: await answer.json() }
  }
  const travel: OpenSandbox['travel'] = async (interval) => {
    const client = await connectTo(databaseUrl)
    await client.query(
      `create or replace function public.app_now() returns timestamptz language sql volatile parallel safe
       return clock_timestamp() + interval '${interval}'`,
    )
    await client.end()
    await sandbox.settleDue()
  }
  return { ...sandbox, stripe: stripeAt(sandbox, SANDBOX_SECRET_KEY), call, travel }
}

const EAR_SECRET = 'whsec_test'

/** A sandbox on a database of its own, and an ear that hears what it tells unless nobody is to. Closed after the tests of the file. */
export async function openFilesSandbox({ isHeard = true } = {}) {
  const database = await freshDatabase()
  const ear = await openEar()
  const options = isHeard ? { webhook: { url: ear.url, secret: EAR_SECRET } } : {}
  const sandbox = await openStripeSandbox(database.url, options)
  after(async () => {
    await sandbox.stop()
    await ear.close()
    await database.drop()
  })
  return { databaseUrl: database.url, ear, sandbox, stripe: sandbox.stripe }
}

export function stripeAt({ port }: Pick<StripeSandbox, 'port'>, key: string, config: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', telemetry: false, maxNetworkRetries: 0, timeout: 120_000, ...config })
}

type Card = { number: string; exp_month?: number; exp_year?: number; cvc?: string }
type Outcome<Intent> = { intent: Intent; error?: undefined } | { intent?: undefined; error: Record<string, any> }

/** Confirms an intent as a browser would: the publishable key, the client secret, the card that a person typed. */
export async function payWithCard(
  { url }: Pick<StripeSandbox, 'url'>,
  clientSecret: string,
  card: Card | string = '4242424242424242',
): Promise<Outcome<any>> {
  const [id = ''] = clientSecret.split('_secret_')
  const { number, exp_month = 12, exp_year = 2048, cvc = '123' } = typeof card === 'string' ? { number: card } : card
  const body = new URLSearchParams({
    client_secret: clientSecret,
    return_url: 'https://yardbid.test/back',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': String(exp_month),
    'payment_method_data[card][exp_year]': String(exp_year),
    'payment_method_data[card][cvc]': cvc,
  })
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
  const headers = { authorization: `Bearer ${SANDBOX_PUBLISHABLE_KEY}` }
  const answer = await fetch(`${url}/v1/${kind}/${id}/confirm`, { method: 'POST', body, headers })
  const result: any = await answer.json()
  return answer.ok ? { intent: result } : { error: result.error }
}

export type Ear = {
  url: string
  /** Every post in the order of arrival, verified or not. */
  heard: { body: string; headers: IncomingHttpHeaders }[]
  /** The next posts are answered with these statuses, then 200. */
  answerWith: number[]
  close: () => Promise<void>
}

/** A webhook endpoint that only listens. */
export async function openEar(): Promise<Ear> {
  const ear: Omit<Ear, 'url' | 'close'> = { heard: [], answerWith: [] }
  const hear = async (request: IncomingMessage) => ear.heard.push({ body: await text(request), headers: request.headers })
  const server = createServer((request, response) => {
    void hear(request).then(() => response.writeHead(ear.answerWith.shift() ?? 200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return Object.assign(ear, { url: `http://127.0.0.1:${port}/webhook`, close })
}
