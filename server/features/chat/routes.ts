import type { FastifyInstance } from 'fastify'
import { chatEndpoints, MOST_UNREAD_LISTINGS } from '#contract/people/chat.ts'
import { block, unblock } from '#server/features/chat/blocks.ts'
import { findChat, findUnread, type InboxPlace } from '#server/features/chat/queries.ts'
import { markRead, PAGE, presentOpenThread, readInbox, readMessages } from '#server/features/chat/read.ts'
import { report } from '#server/features/chat/reports.ts'
import { chatSender, type ChatDeps } from '#server/features/chat/send.ts'
import { findListing } from '#server/features/listings/public.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function chatRoutes(app: FastifyInstance, deps: ChatDeps): void {
  const { db } = deps
  const send = chatSender(deps)

  serve(app, chatEndpoints, {
    'GET /api/v1/chats': async ({ query, viewer }) => {
      const { threads, next } = await readInbox(db, viewer.user.id, { after: readPlace(query.cursor), limit: query.per_page })
      const unread = await findUnread(db, viewer.user.id)
      return {
        data: threads,
        meta: {
          ...pageMeta(next, query.per_page),
          unread: unread.reduce((sum, each) => sum + each.unread, 0),
          unread_by_listing: Object.fromEntries(unread.slice(0, MOST_UNREAD_LISTINGS).map((each) => [each.listing_id, each.unread])),
        },
      }
    },

    'GET /api/v1/listings/{id}/chats': async ({ params, query, viewer }) => {
      const listing = await findListing(db, params.id, viewer.user.id)
      if (!listing) throw notFound()
      const wanted = { listingId: listing.id, after: readPlace(query.cursor), limit: query.per_page }
      const { threads, next } = await readInbox(db, viewer.user.id, wanted)
      return { data: threads, meta: pageMeta(next, query.per_page) }
    },

    'GET /api/v1/listings/{id}/chats/{user_id}/messages': async ({ params, query, viewer }) => {
      const chat = await findChat(db, placeOf(params, viewer.user.id))
      if (!chat) throw notFound()
      const { messages, olderThan } = await readMessages(db, chat, readSeq(query.cursor), viewer.user.id)
      return {
        data: messages,
        meta: { next_cursor: olderThan === null ? null : String(olderThan), prev_cursor: null, per_page: PAGE },
        thread: await presentOpenThread(db, chat, viewer.user),
      }
    },

    'POST /api/v1/listings/{id}/chats/{user_id}/messages': async ({ params, body, viewer, request }) => ({
      data: await send({ request, sender: viewer.user, place: placeOf(params, viewer.user.id), body }),
    }),

    'PUT /api/v1/listings/{id}/chats/{user_id}/read': ({ params, viewer }) => markRead(deps, placeOf(params, viewer.user.id)),

    'PUT /api/v1/users/{id}/block': ({ params, viewer }) => block(db, viewer.user.id, params.id),

    'DELETE /api/v1/users/{id}/block': ({ params, viewer }) => unblock(db, viewer.user.id, params.id),

    'POST /api/v1/reports': async ({ body, viewer }) => {
      await takeAttempt(db, 'report', viewer.user.id)
      const { id, created_at } = await report(db, viewer.user.id, body)
      return { data: { id, created_at: created_at.toISOString() } }
    },
  })
}

const placeOf = ({ id, user_id }: { id: string; user_id: string }, viewerId: string) => ({ listingId: id, viewerId, withId: user_id })

const pageMeta = (next: InboxPlace | undefined, per_page: number) => ({
  next_cursor: next ? Buffer.from(`${next.at} ${next.id}`).toString('base64url') : null,
  prev_cursor: null,
  per_page,
})

const invalidCursor = () => refuseField('cursor', 'Invalid cursor.')

function readPlace(cursor: string | undefined): InboxPlace | undefined {
  if (cursor === undefined) return undefined
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\d [\d:.]{8,15}\+00) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!isUuid(id) || Number.isNaN(Date.parse(at))) throw invalidCursor()
  return { at, id }
}

function readSeq(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}
