import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { notificationEndpoints } from '#contract/notifications.ts'
import { sentences } from '#contract/values/sentences.ts'
import type { Db } from '#server/db/db.ts'
import { markRead } from '#server/features/notifications/notify.ts'
import { presentNotifications } from '#server/features/notifications/present.ts'
import { countUnread, findNotification, listNotifications, pollNotifications } from '#server/features/notifications/queries.ts'
import { endCall, readSettings, saveSettings } from '#server/features/notifications/settings.ts'
import { addPushSubscription, removePushSubscription } from '#server/features/notifications/push-subscriptions.ts'
import { notFound } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export type NotificationDeps = { db: Db; config: { sandbox: boolean; publicUrl: string } }

export function notificationRoutes(app: FastifyInstance, { db, config }: NotificationDeps): void {
  serve(app, notificationEndpoints, {
    'GET /api/v1/notifications': async ({ query, viewer }) => {
      const { page, per_page: perPage, include = '' } = query
      const since = query['filter[since]']
      const until = query['filter[until]']
      const found =
        since === undefined
          ? await listNotifications(db, viewer.user.id, {
              page,
              perPage,
              until: until === undefined ? undefined : Number(until),
              tokenHash: viewer.tokenHash,
            })
          : await pollNotifications(db, viewer.user.id, since, { page, perPage })
      return {
        data: await presentNotifications(db, found.rows, include.split(',').includes('thumbnail')),
        meta: {
          current_page: page,
          last_page: Math.max(1, Math.ceil(found.total / perPage)),
          per_page: perPage,
          total: found.total,
          unread: found.unread,
          until: String(found.until),
          // the moments of a list rise by whole milliseconds: after the newest one comes what is not here
          since: found.newestAt ? new Date(found.newestAt.getTime() + 1).toISOString() : (since ?? found.now.toISOString()),
          server_time: found.now.toISOString(),
        },
      }
    },

    'GET /api/v1/notifications/unread': async ({ viewer }) => ({ data: { unread: await countUnread(db, viewer.user.id) } }),

    'PUT /api/v1/notifications/{id}/mark-as-read': async ({ params, viewer }) => {
      if (!isUuid(params.id)) throw notFound()
      await markRead(db, viewer.user.id, sql`id = ${params.id} and in_app`)
      const row = await findNotification(db, viewer.user.id, params.id)
      if (!row) throw notFound()
      const [data] = await presentNotifications(db, [row], true)
      if (!data) throw new Error('what was read can be shown')
      return { data, meta: { unread: await countUnread(db, viewer.user.id) } }
    },

    'POST /api/v1/notifications/mark-all-as-read': async ({ body, viewer }) => {
      // the cut-off: a statement sees what was committed before it began, and what comes after it stays unread
      const upTo = body?.until === undefined ? sql`true` : sql`seq <= ${Number(body.until)}`
      await markRead(db, viewer.user.id, upTo)
      return { data: { unread: await countUnread(db, viewer.user.id) } }
    },

    'GET /api/v1/auth/notification-settings': async ({ viewer }) => ({ data: await readSettings(db, viewer.user) }),

    'PUT /api/v1/auth/notification-settings': async ({ body, viewer }) => ({
      data: await saveSettings(db, viewer.user, body),
      message: sentences.notificationSettingsUpdated,
    }),

    'POST /api/v1/auth/notification-settings/dismiss-call-to-complete': async ({ viewer }) => {
      await endCall(db, viewer.user.id)
      return { message: 'We will not ask again.' }
    },

    'POST /api/v1/push-subscriptions': async ({ body, viewer }) => ({
      data: { id: await addPushSubscription(db, viewer.user.id, body, config) },
    }),

    'DELETE /api/v1/push-subscriptions': async ({ body, viewer }) => {
      await removePushSubscription(db, viewer.user.id, body.endpoint)
    },
  })
}
