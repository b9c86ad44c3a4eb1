import { readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { placeOf } from '#contract/values/places.ts'
import { pageHints } from '#server/http/page-hints.ts'

/**
 * Serves the built web app. Only its own places answer 200 with the page: any other path is a 404, drawn by the page for
 * somebody with a browser and said in JSON to everybody else.
 */
export async function serveWeb(app: FastifyInstance, dir: string | null): Promise<void> {
  if (dir === null) {
    app.setNotFoundHandler((_request, reply) => sayNotFound(reply))
    return
  }
  await app.register(fastifyStatic, { root: dir, serve: false, preCompressed: true, cacheControl: false })
  // by the sender and not as a header: a file that is not there yet must not be missing for a year
  const forAYear = { cacheControl: true, immutable: true, maxAge: 365 * 24 * 3_600_000 }
  const forAMoment = { cacheControl: true, maxAge: 300_000 }

  const assets = { config: { access: 'anyone', session: false } as const, schema: { hide: true } }
  app.get<{ Params: { '*': string } }>('/assets/*', assets, (request, reply) => reply.sendFile(`assets/${request.params['*']}`, forAYear))
  const others = readdirSync(dir, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'index.html' && !/\.(?:br|gz)$|^\./.test(entry.name),
  )
  for (const { name } of others) {
    app.get(`/${name}`, assets, (_request, reply) => reply.sendFile(name, forAMoment))
  }

  const hintsFor = pageHints(dir)
  app.setNotFoundHandler((request, reply) => {
    if (!isPageVisit(request)) return sayNotFound(reply)
    const path = pathOf(request)
    const place = placeOf(path)
    if (place) reply.header('link', hintsFor(place, path))
    return reply
      .code(place ? 200 : 404)
      .header('cache-control', 'no-cache')
      .sendFile('index.html')
  })
}

// not by URL, which throws at '//' and at '/\\'
const pathOf = (request: FastifyRequest) => request.url.replace(/[?#].*$/s, '')

const isPageVisit = (request: FastifyRequest) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const accept = request.headers.accept ?? '*/*'
  const place = placeOf(pathOf(request))
  return isRead && !/^\/(?:api|auth|sanctum)\//.test(request.url) && (accept.includes('text/html') || place !== undefined)
}

const sayNotFound = (reply: FastifyReply) => reply.code(404).send({ message: 'There is nothing here.', code: 'not_found' })
