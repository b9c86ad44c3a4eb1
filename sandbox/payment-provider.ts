import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SANDBOX_PUBLISHABLE_KEY, SANDBOX_SECRET_KEY, startStripeSandbox, type StripeSandbox } from '#sandbox/stripe/server.ts'

export type PaymentProvider = {
  keys: { secretKey: string; publishableKey: string; webhookSecret: string }
  /** How this machine reaches it, and how browsers do. */
  speakTo: string
  apiBase: string
  sandbox: StripeSandbox
  /** Where the product listens, once it does: it may have asked for any port that is free. */
  postTo: (port: number) => void
}

type Options = {
  databaseUrl: string
  /** How many of the process's connections to the database are its own. */
  connections: number
  host: string
  /** The product's own port. */
  port: number
  publicUrl: string
}

const WEBHOOK_SECRET = 'whsec_yardbid_sandbox'
const PORTS_APART = 9_000

/** The payment provider's stand-in beside the product, on its port + 9000, or on any that is free. */
export async function startPaymentProvider(options: Options): Promise<PaymentProvider> {
  const { host, port } = options
  const wanted = port + PORTS_APART
  if (port === 0 || wanted > 65_535) return startOn(await freePort(host), options)
  // tried, not asked about: a web process and a worker that start together would both be told that it is free
  return startOn(wanted, options).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return startOn(await freePort(host), options)
  })
}

async function startOn(own: number, { databaseUrl, connections, host, port, publicUrl }: Options): Promise<PaymentProvider> {
  const apiBase = `http://${new URL(publicUrl).hostname}:${own}`
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const at = near.includes(':') ? `[${near}]` : near
  const webhookAt = (listening: number) => `http://${at}:${listening}/stripe/webhook`
  const sandbox = await startStripeSandbox({
    databaseUrl,
    connections,
    host,
    port: own,
    publicBase: apiBase,
    webhook: { url: webhookAt(port), secret: WEBHOOK_SECRET },
  })
  const keys = { secretKey: SANDBOX_SECRET_KEY, publishableKey: SANDBOX_PUBLISHABLE_KEY, webhookSecret: WEBHOOK_SECRET }
  return { keys, speakTo: `http://${at}:${own}`, apiBase, sandbox, postTo: (listening) => sandbox.setWebhook(webhookAt(listening)) }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
