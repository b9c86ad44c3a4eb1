import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { api } from '#sandbox/stripe/api.ts'
import { inTransaction, openSandboxPool } from '#sandbox/stripe/engine/database.ts'
import { deliverNext, openDeliveries, type Webhook } from '#sandbox/stripe/engine/deliveries.ts'
import { requestListener } from '#sandbox/stripe/listener.ts'
import { startLoop } from '#sandbox/stripe/engine/loop.ts'
import { beginWork } from '#sandbox/stripe/engine/perform.ts'
import { REQUEST_LOCK, schemaSql } from '#sandbox/stripe/engine/schema.ts'

export type SandboxOptions = {
  databaseUrl: string
  connections?: number
  host?: string
  port?: number
  /** Where browsers find the sandbox; its own address when absent. */
  publicBase?: string
  secretKey?: string
  publishableKey?: string
  webhook?: Webhook
  report?: (error: unknown) => void
}

export type StripeSandbox = {
  url: string
  port: number
  setWebhook: (url: string) => void
  /** Does what is due by app_now(). */
  settleDue: () => Promise<void>
  /** Resolves when nothing is due and every event has been delivered. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

export const SANDBOX_SECRET_KEY = 'sk_test_yardbid_sandbox'
export const SANDBOX_PUBLISHABLE_KEY = 'pk_test_yardbid_sandbox'

/** A Stripe-compatible server with its state in PostgreSQL; any number of processes may run one on the same state. */
export async function startStripeSandbox(options: SandboxOptions): Promise<StripeSandbox> {
  const { host = '127.0.0.1', port = 0, report = console.error } = options
  const { secretKey = SANDBOX_SECRET_KEY, publishableKey = SANDBOX_PUBLISHABLE_KEY } = options
  let { webhook } = options
  const pool = openSandboxPool(options.databaseUrl, options.connections)
  const server = createServer()
  try {
    await inTransaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [REQUEST_LOCK])
      await client.query(schemaSql)
    })
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    await pool.end()
    throw error
  }
  const address = server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  const world = () => ({ pool, publicBase: options.publicBase ?? url, hasWebhook: webhook !== undefined, api })

  const deliveries = startLoop({ step: async () => webhook !== undefined && deliverNext(pool, webhook), everyMs: 250, report })
  const settleDue = async () => {
    await inTransaction(pool, async (client) => {
      const work = await beginWork(world(), client, { requestId: null, idempotencyKey: null, account: '' })
      for (const duty of api.duties) await duty(work)
    })
    deliveries.wake()
  }
  const due = startLoop({ step: () => settleDue().then(() => false), everyMs: 1000, report })
  server.on('request', requestListener({ world, keys: { secretKey, publishableKey }, afterwards: deliveries.wake, report }))

  return {
    url,
    port: address.port,
    setWebhook: (to) => {
      webhook = { secret: 'whsec_yardbid_sandbox', ...webhook, url: to }
    },
    settleDue,
    settled: async () => {
      await settleDue()
      await deliveries.idle()
      // what is left was refused and is tried again later, or another process posts it
      while ((await openDeliveries(pool)) > 0) {
        await pause(10)
        await settleDue()
        await deliveries.idle()
      }
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await Promise.all([closed, due.stop(), deliveries.stop()])
      await pool.end()
    },
  }
}
