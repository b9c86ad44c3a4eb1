import { readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { placeOf } from '#contract/places.ts'

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

  const assets = { config: { access: 'anyone' as const }, schema: { hide: true } }
  app.get<{ Params: { '*': string } }>('/assets/*', assets, (request, reply) =>
    reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(`assets/${request.params['*']}`),
  )
  const others = readdirSync(dir, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'index.html' && !/\.(?:br|gz)$|^\./.test(entry.name),
  )
  for (const { name } of others) {
    app.get(`/${name}`, assets, (_request, reply) => reply.header('cache-control', 'public, max-age=300').sendFile(name))
  }

  app.setNotFoundHandler((request, reply) => {
    if (!isPageVisit(request)) return sayNotFound(reply)
    const known = placeOf(new URL(request.url, 'http://localhost').pathname) !== undefined
    return reply
      .code(known ? 200 : 404)
      .header('cache-control', 'no-cache')
      .sendFile('index.html')
  })
}

const isPageVisit = (request: FastifyRequest) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const accept = request.headers.accept ?? '*/*'
  const place = placeOf(new URL(request.url, 'http://localhost').pathname)
  return isRead && !/^\/(?:api|auth|sanctum)\//.test(request.url) && (accept.includes('text/html') || place !== undefined)
}

const sayNotFound = (reply: FastifyReply) => reply.code(404).send({ message: 'There is nothing here.', code: 'not_found' })
