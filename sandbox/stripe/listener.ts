import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { checkKey } from '#sandbox/stripe/http/access.ts'
import { SandboxError, type ErrorBody } from '#sandbox/stripe/http/errors.ts'
import { takeRequestFault, type RequestFault } from '#sandbox/stripe/engine/faults.ts'
import { parseForm } from '#sandbox/stripe/http/form.ts'
import { json, perform, type SandboxRequest, type World } from '#sandbox/stripe/engine/perform.ts'
import type { Route } from '#sandbox/stripe/engine/route.ts'
import { isRaw } from '#sandbox/stripe/http/page.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

type Options = {
  world: () => World
  keys: { secretKey: string; publishableKey: string }
  /** Called when a request may have written events. */
  afterwards: () => void
  report: (error: unknown) => void
}

export function requestListener({ world, keys, afterwards, report }: Options): RequestListener {
  return (request, response) => {
    const requestId = newId('req', 14)
    response.setHeader('request-id', requestId)
    response.setHeader('access-control-allow-origin', '*')
    void serve(request, response, requestId)
      .catch((error: unknown) => {
        if (!(error instanceof SandboxError) && !response.destroyed) report(error)
        if (!response.headersSent) sendError(response, error)
      })
      .finally(() => request.method !== 'GET' && afterwards())
  }

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const url = new URL(request.url ?? '/', world().publicBase)
    if (request.method === 'OPTIONS') return sendPreflight(response)
    const rawBody = await text(request)
    const { route, params } = findRoute(world().api.routes, request.method ?? '', url.pathname)
    const isForm = !request.headers['content-type']?.includes('json')
    const encoded = [url.search.slice(1), isForm ? rawBody : ''].filter(Boolean).join('&')
    const form = parseForm(encoded)
    const { isPublishable } = checkKey(route.access ?? 'secret', request.headers, form, keys)

    const fault = url.pathname.startsWith('/v1/') ? await takeRequestFault(world().pool, url.pathname) : undefined
    const fail = () => (fault?.status === 'drop' ? void response.destroy() : sendError(response, failure(fault)))
    if (fault?.fail === 'before') return fail()
    const account = header(request, 'stripe-account') ?? ''
    const idempotencyKey = header(request, 'idempotency-key')
    const asked: SandboxRequest = {
      route,
      params,
      url,
      form,
      rawBody,
      parameters: inOneOrder(encoded) + (isForm ? '' : rawBody),
      isPublishable,
      requestId,
      account,
      idempotencyKey,
      slowMs: fault?.slow_ms ?? 0,
      failure: fault?.fail === 'kept' ? failure(fault) : undefined,
    }
    const answer = await perform(world(), asked)
    if (fault?.fail === 'after') return fail()

    if (isRaw(answer)) return void response.writeHead(answer.raw.status, answer.raw.headers).end(answer.raw.body)
    if (idempotencyKey) response.setHeader('idempotency-key', idempotencyKey)
    if (answer.isReplay) response.setHeader('idempotent-replayed', 'true').setHeader('original-request', answer.requestId)
    sendJson(response, answer.status, answer.body)
  }
}

function findRoute(routes: Route[], method: string, path: string): { route: Route; params: Record<string, string> } {
  for (const route of routes) {
    const params = route.method === method && fit(route.path.split('/'), path.split('/'))
    if (params) return { route, params }
  }
  throw new SandboxError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` })
}

function fit(pattern: string[], path: string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of pattern.entries()) {
    const given = path[at] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = given
    else if (part !== given) return undefined
  }
  return params
}

// what Stripe.js does comes from any page; a secret key in a page is that page's mistake, not the header's
function sendPreflight(response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-allow-headers', '*, authorization, content-type, idempotency-key, stripe-version, stripe-account')
  response.setHeader('access-control-max-age', '300')
  response.writeHead(204).end()
}

// lists keep their order: the sort is stable
const inOneOrder = (encoded: string) => {
  const parameters = new URLSearchParams(encoded)
  parameters.sort()
  return parameters.toString()
}

function failure(fault: RequestFault | undefined): SandboxError {
  const code = typeof fault?.status === 'number' ? fault.status : 500
  const error: ErrorBody = { type: code < 500 ? 'invalid_request_error' : 'api_error', message: 'The sandbox was told to fail.' }
  return new SandboxError(code, code === 429 ? { ...error, code: fault?.code ?? 'rate_limit' } : error)
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof SandboxError) sendJson(response, error.status, json({ error: error.error }))
  else sendJson(response, 500, json({ error: { type: 'api_error', message: 'Something went wrong in the sandbox.' } }))
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

const header = (request: IncomingMessage, name: string) => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
