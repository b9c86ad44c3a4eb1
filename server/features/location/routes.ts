import type { FastifyInstance, FastifyRequest } from 'fastify'
import { locationEndpoints } from '#contract/location.ts'
import type { Db } from '#server/db/db.ts'
import { networkOf, takeAttempt } from '#server/http/attempts.ts'
import { refuse } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { traceOf } from '#server/http/viewer.ts'
import { AddressBookUnavailable, type AddressBook } from '#server/providers/addresses.ts'

export function locationRoutes(app: FastifyInstance, { db, addresses }: { db: Db; addresses: AddressBook }): void {
  serve(app, locationEndpoints, {
    'GET /api/v1/location/post-code': async ({ query, request }) => {
      await takeAttempt(db, 'location', networkOf(request.ip))
      return { data: await addresses.suggest(query.postalCode).catch(asUnavailable(request)) }
    },
    'GET /api/v1/location/street-details': async ({ query, request }) => {
      await takeAttempt(db, 'location', networkOf(request.ip))
      const found = await addresses.resolve(query.location).catch(asUnavailable(request))
      if (!found) throw refuse('not_found', 'We could not find this address in the UK. Try its postcode.', { code: 'address_not_found' })
      return { data: found }
    },
  })
}

const asUnavailable =
  (request: FastifyRequest) =>
  (error: unknown): never => {
    if (!(error instanceof AddressBookUnavailable)) throw error
    request.log.warn({ ...traceOf(request), event: 'provider_away', cause: String(error.cause) }, 'the address provider did not answer')
    throw refuse('unavailable', 'The address lookup does not answer. Please try again in a moment.', { retryAfterSeconds: 5 })
  }
