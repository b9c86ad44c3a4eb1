import type { FastifyInstance } from 'fastify'
import type { Listing } from '#contract/listings.ts'
import { saleEndpoints } from '#contract/sales/sales.ts'
import { fields } from '#domain/sales/listing-machine-fields.ts'
import { actingWith, takeAction, type Action, type SaleDeps } from '#server/features/sales/act.ts'
import { readFields } from '#server/features/sales/action-fields.ts'
import { timelineOf, type TimelineListing } from '#server/features/sales/timeline.ts'
import { answerOnce, type Once } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

/** Listings as a viewer may see them; one that is not there for the viewer is refused. The listings feature builds on this one. */
type Listings = {
  find(id: string, viewerId: string | null): Promise<TimelineListing>
  show(id: string, viewerId: string | null): Promise<Listing>
}

/** Paying asks the provider too: the paying feature, which builds on this one, takes that step. */
type Pay = (request: {
  listingId: string
  method: 'card' | 'bank_transfer' | undefined
  person: Action['person']
  once: Once<unknown>
}) => Promise<unknown>

export function saleRoutes(app: FastifyInstance, deps: SaleDeps & { listings: Listings; pay: Pay }): void {
  const { db, listings } = deps
  const acting = actingWith(deps)

  async function take(action: Action, once: Once<unknown>): Promise<string> {
    if (action.action !== 'pay') return takeAction(acting, { ...action, remember: once.rememberOn })
    const { method } = readFields(fields.pay, action.sent) as { method?: 'card' | 'bank_transfer' }
    await deps.pay({ listingId: action.listingId, method, person: action.person, once })
    return action.listingId
  }

  serve(app, saleEndpoints, {
    'POST /api/v1/listings/{id}/actions/{action}': async ({ params, body, viewer, request }) => {
      const { user, isPasswordFresh } = viewer
      const action = { listingId: params.id, action: params.action, sent: body ?? {}, person: user, isPasswordFresh }
      const id = await answerOnce<unknown, string>(
        db,
        { request, userId: user.id },
        {
          work: (once) => take(action, once),
          again: async (shown) => (typeof shown === 'string' ? shown : params.id),
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
