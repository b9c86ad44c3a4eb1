import type { FastifyInstance } from 'fastify'
import type { Listing } from '#contract/listings.ts'
import { saleEndpoints } from '#contract/sales.ts'
import { actingWith, takeAction, type SaleDeps } from '#server/features/sales/act.ts'
import { timelineOf, type TimelineListing } from '#server/features/sales/timeline.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

/** Listings as a viewer may see them; one that is not there for the viewer is refused. The listings feature builds on this one. */
type Listings = {
  find(id: string, viewerId: string | null): Promise<TimelineListing>
  show(id: string, viewerId: string | null): Promise<Listing>
}

export function saleRoutes(app: FastifyInstance, deps: SaleDeps & { listings: Listings }): void {
  const { db, listings } = deps
  const acting = actingWith(deps)

  serve(app, saleEndpoints, {
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
      return { data: await listings.show(id, user.id) }
    },

    'GET /api/v1/listings/{id}/events': async ({ params, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      return { data: await timelineOf(db, await listings.find(params.id, viewerId), viewerId) }
    },
  })
}
