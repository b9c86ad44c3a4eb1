import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { ensureDocsScript } from '#server/http/docs/docs-script.ts'
import { docsContentSecurityPolicy } from '#server/http/headers.ts'

/** OpenAPI from the very schemas that validate. Must be registered before the routes that it describes. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Yardbid', version, description: 'Scrap metal and goods in timed auctions.' } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}

const toAnyone = { config: { access: 'anyone', session: false } as const, schema: { hide: true } }

export async function serveDocs(app: FastifyInstance): Promise<void> {
  // made once: the answers share its bytes, however slowly they are read
  let description: Buffer | undefined
  app.get('/api/openapi.json', toAnyone, (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  const script = await ensureDocsScript()
  const strictStyles = await readFile(join(import.meta.dirname, 'strict-styles.js'), 'utf8')
  await app.register(async (docs) => {
    await docs.register(fastifyStatic, { root: script.dir, serve: false, preCompressed: true })

    docs.get('/api/docs', toAnyone, (_request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      reply.header('content-security-policy', docsContentSecurityPolicy(nonce)).type('text/html; charset=utf-8')
      return reply.send(pageOf(script.name, nonce))
    })
    for (const [name, text] of [['strict-styles.js', strictStyles] as const, ['start.js', startScript] as const]) {
      docs.get(`/api/docs/${name}`, toAnyone, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(text))
    }
    // compress: false, so that a client that takes no gzip does not have 4.3 MB compressed for it alone
    docs.get(`/api/docs/${script.name}`, { ...toAnyone, compress: false }, (_request, reply) =>
      reply.sendFile(script.name, { cacheControl: true, immutable: true, maxAge: 365 * 24 * 3_600_000 }),
    )
  })
}

const pageOf = (script: string, nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <title>Yardbid API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta property="csp-nonce" content="${nonce}" />
  </head>
  <body>
    <div id="app"></div>
    <script src="/api/docs/strict-styles.js"></script>
    <script src="/api/docs/${script}"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`

const configuration = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})\n`
