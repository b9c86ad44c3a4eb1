import type { FastifyInstance } from 'fastify'
import { auditLook } from '#server/db/audit.ts'
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/features/storage/keys.ts'
import { cacheRule, dispositionOf, isPublic, isShown, mayFetch, NO_STORE } from '#server/features/storage/present.ts'
import { findConversationOf, findHolders, findReady, findSaleOf } from '#server/features/storage/queries.ts'
import { notFound } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { FileStore } from '#server/providers/files.ts'

// an address of the store that leaks is worth nothing soon; the redirect may be reused for a little less
const SIGNED_FOR_SECONDS = 300
const REDIRECT_FOR_SECONDS = 240

type Fetch = { Params: { id: string; name: string } }

/** GET of what passed its check: by row, never by path. What is not yours is not there. */
export function deliverRoute(app: FastifyInstance, db: Db, files: FileStore): void {
  app.get<Fetch>(
    '/files/:id/:name',
    { config: { access: 'anyone' }, schema: { hide: true } },
    async ({ params, headers, viewer }, reply) => {
      const object = isUuid(params.id) ? await findReady(db, params.id) : undefined
      const holders = object && isPublic(object) ? await findHolders(db, object.id, viewer.user?.id ?? null) : []
      const sale = object && !isPublic(object) ? await findSaleOf(db, object.id, viewer.user?.id ?? null) : undefined
      const conversation = object && isPublic(object) ? await findConversationOf(db, object.id, viewer.user?.id ?? null) : undefined
      if (!object || !mayFetch(object, viewer.user, { holders, sale, conversation })) throw notFound()
      const variants = filesOf(object)
      const file = Object.hasOwn(variants, params.name) ? variants[params.name] : undefined
      if (!file) throw notFound()
      const { user } = viewer
      const isByRole = user?.role && !mayFetch(object, { ...user, role: null }, { holders, sale, conversation })
      // the other parts of a video are the same look
      if (isByRole && !/^bytes=[1-9]/.test(headers.range ?? ''))
        await auditLook(db, user, { act: 'see-file', about: object.owner_id, details: { storage_object_id: object.id, name: params.name } })

      const isForAll = isPublic(object) && !conversation && isShown(holders)
      if (files.signedGet) {
        if (isForAll) reply.header('cache-control', `private, max-age=${REDIRECT_FOR_SECONDS}`)
        return reply.redirect(await files.signedGet(file.key, SIGNED_FOR_SECONDS), 302)
      }

      // what is at an address never changes
      const etag = `"${object.id}-${params.name}"`
      const found = await files.head(file.key)
      if (!found) throw notFound()
      reply.headers({
        'content-type': file.contentType,
        'content-disposition': dispositionOf(object),
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': isForAll ? cacheRule(object) : NO_STORE,
        'accept-ranges': 'bytes',
        etag,
      })
      if (headers['if-none-match'] === etag) return reply.code(304).send()
      const range = rangeOf(headers.range, found.size)
      if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${found.size}`).send()
      if (!range) return reply.header('content-length', found.size).send(await files.read(file.key))
      return reply
        .code(206)
        .headers({ 'content-range': `bytes ${range.start}-${range.end}/${found.size}`, 'content-length': range.end - range.start + 1 })
        .send(await files.read(file.key, range))
    },
  )
}

/** One range, as a player asks for it; several at once are answered with the whole file, as HTTP allows. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}
