import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { docsContentSecurityPolicy } from '#server/http/headers.ts'

/** OpenAPI from the very schemas that validate. Must be registered before the routes that it describes. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Yardbid', version, description: 'Scrap metal and goods in timed auctions.' } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}

export async function serveDocs(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', { config: { access: 'anyone' }, schema: { hide: true } }, async () => app.swagger())
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'anyone' }
    })
    await docs.register(scalar, {
      routePrefix: '/api/docs',
      hooks: {
        onRequest: (_request, reply, done) => {
          reply.header('content-security-policy', docsContentSecurityPolicy)
          done()
        },
      },
      configuration: {
        url: '/api/openapi.json',
        withDefaultFonts: false,
        telemetry: false,
        showDeveloperTools: 'never',
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}
