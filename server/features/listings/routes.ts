import type { FastifyInstance } from 'fastify'
import { listingEndpoints } from '#contract/listings.ts'
import { createListing } from '#server/features/listings/create.ts'
import { editListing } from '#server/features/listings/edit.ts'
import { listingReader } from '#server/features/listings/show.ts'
import { actingWith, takeAction, type SaleDeps } from '#server/features/sales/public.ts'
import { answerOnce } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

/** A withdrawal is a step of the sale. */
export type ListingDeps = SaleDeps

export function listingRoutes(app: FastifyInstance, deps: ListingDeps): void {
  const { db, readSetting } = deps
  const acting = actingWith(deps)
  const { show } = listingReader(deps)

  serve(app, listingEndpoints, {
    'POST /api/v1/listings': async ({ body, viewer, request }) => {
      const { user } = viewer
      const id = await answerOnce<string, string>(
        db,
        { request, userId: user.id },
        {
          work: ({ remember }) => createListing(db, readSetting, { seller: user, form: body, remember }),
          again: async (made) => made,
        },
      )
      return { data: await show(id, user.id) }
    },

    'PUT /api/v1/listings/{id}': async ({ params, body, viewer }) => {
      await editListing(db, readSetting, viewer.user, params.id, body)
      return { data: await show(params.id, viewer.user.id) }
    },

    'GET /api/v1/listings/{id}': async ({ params, viewer }) => ({ data: await show(params.id, viewer.user?.id ?? null) }),

    'DELETE /api/v1/listings/{id}': async ({ params, viewer }) => {
      await takeAction(acting, { listingId: params.id, action: 'withdraw', sent: {}, person: viewer.user })
      return { data: await show(params.id, viewer.user.id) }
    },
  })
}
