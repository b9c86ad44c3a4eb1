import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/db/db.ts'
import { incomingKey } from '#server/features/storage/keys.ts'
import { isAwaited, markUploaded } from '#server/features/storage/reservations.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { DirectUploads } from '#server/providers/files.ts'
import { UPLOAD_PATH } from '#server/providers/files-disk.ts'

type Upload = { Params: { '*': string }; Querystring: { expires?: string; signature?: string }; Body: Readable }

// 200 MB at 2 Mbit/s, which a yard's telephone has
const WITHIN_MS = 15 * 60_000

const refused = () =>
  refuse('forbidden', 'This upload address does not fit the file, has expired, was used or is in use. Choose the file again.', {
    code: 'upload_refused',
  })

/** PUT to a signed address of the disk store. The signature is the credential: no session, no CSRF token. */
export async function receiveRoute(app: FastifyInstance, db: Db, direct: DirectUploads): Promise<void> {
  // a scope of its own: here a body is bytes, whatever its type, and is handed on unread
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.put<Upload>(
      `${UPLOAD_PATH}*`,
      { config: { access: 'anyone', csrf: false, bodyWithinMs: WITHIN_MS }, schema: { hide: true } },
      async ({ params, query, headers, body }, reply) => {
        const key = params['*']
        const id = key.split('/').at(-1) ?? ''
        if (!isUuid(id) || key !== incomingKey(id) || typeof query.signature !== 'string') throw notFound()
        const expiresAt = new Date(Number(query.expires))
        const size = Number(headers['content-length'] ?? Number.NaN)
        const terms = { contentType: (headers['content-type'] ?? '').toLowerCase(), size, expiresAt }
        const isInOrder = !Number.isNaN(expiresAt.getTime()) && direct.isSigned(key, terms, query.signature)
        if (!isInOrder || !(await isAwaited(db, id, expiresAt))) throw refused()
        if (!(await direct.take(key, body, size))) throw refused()
        await markUploaded(db, id)
        return reply.code(200).send()
      },
    )
  })
}
