import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deskEndpoints } from '#contract/admin/desk.ts'
import { adminUserEndpoints, type UserDetails } from '#contract/admin/users.ts'
import { readNow } from '#server/db/clock.ts'
import type { Db } from '#server/db/db.ts'
import { actOnUser, type AdminAct } from '#server/features/account/public.ts'
import { readDesk } from '#server/features/back-office/desk.ts'
import { presentListed, showUser } from '#server/features/back-office/user-details.ts'
import { findUsers, type Place } from '#server/features/back-office/user-queries.ts'
import type { Audit } from '#server/http/audit.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function backOfficeRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  const act = actor(db)

  serve(app, adminUserEndpoints, {
    'GET /api/v1/admin/users': async ({ query }) => {
      const { cursor, per_page, ...filter } = query
      const { rows, isIncomplete } = await findUsers(db, { filter, after: readCursor(cursor), limit: per_page + 1 })
      const page = rows.slice(0, per_page)
      const last = rows.length > per_page ? page.at(-1) : undefined
      return {
        data: page.map(presentListed),
        meta: { next_cursor: last ? writeCursor(last) : null, prev_cursor: null, per_page, is_incomplete: isIncomplete },
      }
    },

    'GET /api/v1/admin/users/{id}': async ({ params }) => ({ data: await showUser(db, params.id) }),

    'POST /api/v1/admin/users/{id}/open': (call) => act('open', call),
    'POST /api/v1/admin/users/{id}/suspend': (call) => act('suspend', call, call.body.reason),
    'POST /api/v1/admin/users/{id}/unsuspend': (call) => act('unsuspend', call),
    'POST /api/v1/admin/users/{id}/temporary-password': (call) => act('temporary-password', call),
  })

  serve(app, deskEndpoints, {
    'GET /api/v1/admin/desk': async () => {
      const queues = await readDesk(db)
      const count = queues.reduce((sum, queue) => sum + queue.count, 0)
      return { data: queues, meta: { count, server_time: (await readNow(db)).toISOString() } }
    },
  })
}

type ActCall = { params: { id: string }; audit: Audit; request: FastifyRequest }

/** Does what the command of the same name does. An act that was done already answers the same, and is audited as a look. */
const actor =
  (db: Db) =>
  async (act: AdminAct, { params: { id }, audit, request }: ActCall, reason = ''): Promise<{ data: UserDetails }> => {
    if (!isUuid(id)) throw notFound()
    const by = audit.by.id
    const isDone = await answerOnce<true, boolean>(
      db,
      { request, userId: by },
      {
        work: (once) => actOnUser(db, { act, userId: id, reason, by, audit, remember: (tx) => once.remember(tx, true) }),
        again: async () => false,
      },
    )
    if (!isDone) audit.isReplay()
    return { data: await showUser(db, id) }
  }

const writeCursor = ({ at, id }: Place) => Buffer.from(JSON.stringify([at, id])).toString('base64url')

function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof at === 'string' && /^\d{1,16}$/.test(at) && typeof id === 'string' && isUuid(id)) return { at, id }
  } catch {
    // malformed cursor: refused below
  }
  throw refuseField('cursor', 'Invalid cursor.')
}
