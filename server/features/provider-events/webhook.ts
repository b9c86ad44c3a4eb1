import type { FastifyInstance } from 'fastify'
import type { Stripe } from 'stripe'
import { z } from 'zod'
import type { Db } from '#server/db/db.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { refuse } from '#server/http/errors.ts'
import type { Payment } from '#server/providers/payment.ts'

// What is signed is believed to be the provider's word that something has changed, and nothing more: what it changed to is
// fetched. An event is stored once, answered at once, and applied by a worker.

/** Stripe's own default: an older signature is somebody's copy. */
const TOLERANCE_SECONDS = 300

/** Some events carry an invoice with all its lines. */
const EVENT_MAX_BYTES = 512 * 1_024

export async function webhookRoute(app: FastifyInstance, { db, payment }: { db: Db; payment: Payment }): Promise<void> {
  await app.register(async (scope) => {
    // the signature is of the bytes, so nothing reads them before it does
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(
      '/stripe/webhook',
      { config: { access: 'anyone', csrf: false }, schema: { hide: true }, bodyLimit: EVENT_MAX_BYTES },
      async (request) => {
        const event = readEvent(payment, request.body as Buffer, request.headers['stripe-signature'])
        await db.transaction().execute(async (tx) => {
          const row = await tx
            .insertInto('provider_events')
            .values({
              id: event.id,
              type: event.type,
              object_id: event.data.object.id ?? null,
              account: event.account ?? null,
              created: new Date(event.created * 1_000),
            })
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .executeTakeFirst()
          if (row) await enqueue(tx, 'apply_provider_event', { event_id: row.id })
        })
        return { received: true }
      },
    )
  })
}

/** What is used of an event. Its `created` is a time of our calendar, and no text holds a NUL, which the database cannot store. */
const storable = z.string().regex(/^[^\0]+$/)
const eventFields = z.object({
  id: storable,
  type: storable,
  account: storable.nullish(),
  created: z.int().min(0).max(253_402_300_799),
  data: z.object({ object: z.object({ id: storable.nullish() }) }),
})

/** A body that is signed and yet no event is refused as malformed: sent again, it would be no better. */
function readEvent(payment: Payment, body: Buffer, signature: string | string[] | undefined): z.output<typeof eventFields> {
  const malformed = () => refuse('malformed', 'This is not an event.')
  let signed: unknown
  try {
    signed = verify(payment, body, signature)
  } catch (error) {
    throw error instanceof SyntaxError ? malformed() : error
  }
  const event = eventFields.safeParse(signed)
  if (!event.success) throw malformed()
  return event.data
}

/** Stripe tells of our own account and of users' accounts by two endpoints, each with a secret of its own. */
function verify({ stripe, webhookSecret }: Payment, body: Buffer, signature: string | string[] | undefined): Stripe.Event {
  const secrets = webhookSecret.split(',').filter(Boolean)
  if (typeof signature === 'string' && Buffer.isBuffer(body)) {
    for (const secret of secrets) {
      try {
        return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS)
      } catch (error) {
        // the signature fits, and the body is not JSON
        if (error instanceof SyntaxError) throw error
      }
    }
  }
  throw refuse('malformed', 'The signature does not fit.', { code: 'signature_invalid' })
}
