import type { FastifyInstance } from 'fastify'
import { activityEndpoints } from '#contract/activity.ts'
import type { Deps } from '#server/deps.ts'
import { findOwnListings, showListings } from '#server/features/listings/actions.ts'
import { serve } from '#server/http/serve.ts'

export function activityRoutes(app: FastifyInstance, { db, readSetting }: Deps): void {
  serve(app, activityEndpoints, {
    'GET /api/v1/my-listings': async ({ query, viewer }) => {
      const rows = await findOwnListings(db, viewer.user.id, { after: undefined, limit: query.per_page })
      return {
        data: await showListings(db, readSetting, rows, viewer.user.id),
        meta: {
          next_cursor: null,
          prev_cursor: null,
          per_page: query.per_page,
          counts: { waiting: 0, running: rows.length, sold: 0, unsold: 0, done: 0 },
        },
      }
    },
    'GET /api/v1/activity': async ({ query }) => ({
      data: [],
      meta: {
        next_cursor: null,
        prev_cursor: null,
        per_page: query.per_page,
        counts: { waiting: 0, bidding: 0, won: 0, offered: 0, watching: 0, lost: 0, done: 0 },
      },
    }),
  })
}
