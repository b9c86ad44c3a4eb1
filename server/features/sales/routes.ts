import type { FastifyInstance } from 'fastify'
import { listingActionEndpoints } from '#contract/sales.ts'
import type { Deps } from '#server/deps.ts'
import { actingWith, takeAction } from '#server/features/sales/act.ts'
import { showListing } from '#server/features/listings/actions.ts'
import { editListing } from '#server/features/listings/edit.ts'
import { timelineOf } from '#server/features/sales/timeline.ts'
import { findListing } from '#server/features/listings/queries.ts'
import { notFound } from '#server/http/errors.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

export function listingActionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, readSetting } = deps
  const acting = actingWith(deps)
  const find = async (id: string, viewerId: string | null) => {
    const row = await findListing(db, id, viewerId)
    if (!row) throw notFound()
    return row
  }
  const one = async (id: string, viewerId: string) => ({ data: await showListing(db, readSetting, await find(id, viewerId), viewerId) })

  serve(app, listingActionEndpoints, {
    'PUT /api/v1/listings/{id}': async ({ params, body, viewer }) => {
      await editListing(db, readSetting, viewer.user, params.id, body)
      return one(params.id, viewer.user.id)
    },

    'POST /api/v1/listings/{id}/actions/{action}': async ({ params, body, viewer, request }) => {
      const { user } = viewer
      const action = { listingId: params.id, action: params.action, sent: body ?? {}, person: user }
      const id = await answerOnce<string, string>(
        db,
        { request, userId: user.id },
        {
          work: ({ rememberOn }) => takeAction(acting, { ...action, remember: rememberOn }),
          again: async (shown) => shown,
        },
      )
      return one(id, user.id)
    },

    'GET /api/v1/listings/{id}/events': async ({ params, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      return { data: await timelineOf(db, await find(params.id, viewerId), viewerId) }
    },
  })
}
