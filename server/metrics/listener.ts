import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { exposition, EXPOSITION_TYPE, type Family } from '#server/metrics/exposition.ts'
import { counted } from '#server/metrics/metrics.ts'

export type MetricsListener = { port: number; stop(): Promise<void> }

type Options = { host: string; port: number; readGauges: () => Promise<Family[]>; log: FastifyBaseLogger }

/** `GET /metrics` on a port of its own: the public one never answers it, so that no proxy can let it out by mistake. */
export async function listenForScrapes({ host, port, readGauges, log }: Options): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    answer(request, response, readGauges).catch((error: unknown) => {
      log.error({ err: error, event: 'metrics_fault' }, 'metrics could not be read')
      response.destroy()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer({ method, url }: IncomingMessage, response: ServerResponse, readGauges: Options['readGauges']): Promise<void> {
  if (method !== 'GET' || url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
  const text = exposition([...counted, ...(await readGauges())])
  response.writeHead(200, { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' }).end(text)
}
