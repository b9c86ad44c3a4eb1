import type { FastifyInstance, FastifyRequest } from 'fastify'
import { conversationEndpoints } from '#contract/market/conversations.ts'
import { enquiryEndpoints } from '#contract/market/enquiries.ts'
import type { Db } from '#server/db/db.ts'
import { acceptOffer, counterOffer, declineOffer, makeOffer, withdrawOffer } from '#server/features/market/conversations/offers.ts'
import { askAboutEnquiry, readConversation, sendMessage, type SentMessage } from '#server/features/market/conversations/send.ts'
import { closeEnquiry, extendEnquiry } from '#server/features/market/enquiries/life.ts'
import { editEnquiry, postEnquiry } from '#server/features/market/enquiries/post.ts'
import { mapEnquiries } from '#server/features/market/enquiries/search.ts'
import { marketReader } from '#server/features/market/read-market.ts'
import { findTradespeople } from '#server/features/market/tradespeople.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { answerOnce, type Once } from '#server/http/idempotency.ts'
import { serve } from '#server/http/serve.ts'

type MarketDeps = { db: Db; readSetting: ReadSetting }

export function marketRoutes(app: FastifyInstance, { db, readSetting }: MarketDeps): void {
  const market = marketReader(db)

  /** Does it once for each idempotency key, and answers what `work` made. */
  const once = <Kept>(request: FastifyRequest, userId: string, work: (once: Once<Kept>) => Promise<Kept>): Promise<Kept> =>
    answerOnce<Kept, Kept>(db, { request, userId }, { work, again: async (kept) => kept })

  const sent = <Kept>(request: FastifyRequest, userId: string, work: (once: Once<Kept>) => Promise<Kept>): Promise<Kept> =>
    once<Kept>(request, userId, async (remembering) => {
      await takeAttempt(db, 'market_message', userId, await readSetting(db, 'chat_rate'))
      return work(remembering)
    })

  serve(app, enquiryEndpoints, {
    'GET /api/v1/market/enquiries': ({ query, viewer }) => market.search(viewer.user, query, query),

    'GET /api/v1/market/enquiries/map': async ({ query }) => ({ data: await mapEnquiries(db, query) }),

    'GET /api/v1/market/my-enquiries': ({ query, viewer }) => market.own(viewer.user, query),

    'POST /api/v1/market/enquiries': async ({ body, viewer, request }) => {
      const id = await once<string>(request, viewer.user.id, async ({ remember }) => {
        await takeAttempt(db, 'enquiry', viewer.user.id)
        return postEnquiry({ db, readSetting }, { poster: viewer.user, form: body, remember })
      })
      return { data: await market.showOwn(viewer.user, id) }
    },

    'GET /api/v1/market/enquiries/{id}': async ({ params, viewer }) => ({ data: await market.showEnquiry(viewer.user, params.id) }),

    'PUT /api/v1/market/enquiries/{id}': async ({ params, body, viewer }) => {
      await editEnquiry({ db, readSetting }, viewer.user, params.id, body)
      return { data: await market.showOwn(viewer.user, params.id) }
    },

    'DELETE /api/v1/market/enquiries/{id}': async ({ params, viewer }) => {
      await closeEnquiry(db, viewer.user.id, params.id)
      return { data: await market.showOwn(viewer.user, params.id) }
    },

    'POST /api/v1/market/enquiries/{id}/extend': async ({ params, viewer }) => {
      await extendEnquiry(db, readSetting, viewer.user.id, params.id)
      return { data: await market.showOwn(viewer.user, params.id) }
    },

    'GET /api/v1/market/tradespeople': async () => ({ data: await findTradespeople(db) }),
  })

  serve(app, conversationEndpoints, {
    'POST /api/v1/market/enquiries/{id}/offers': async ({ params, body, viewer, request }) => {
      const id = await sent<string>(request, viewer.user.id, ({ remember }) =>
        makeOffer(db, params.id, { maker: viewer.user, form: body, remember }),
      )
      return { data: await market.showOffer(viewer.user.id, id) }
    },

    'POST /api/v1/market/enquiries/{id}/conversations': async ({ params, body, viewer, request }) => {
      const { conversation_id } = await sent<SentMessage>(request, viewer.user.id, ({ remember }) =>
        askAboutEnquiry(db, params.id, { sender: viewer.user, body, remember }),
      )
      return { data: await market.showConversation(viewer.user.id, conversation_id) }
    },

    'POST /api/v1/market/offers/{id}/accept': async ({ params, viewer }) => {
      await acceptOffer(db, viewer.user, params.id)
      return { data: await market.showOffer(viewer.user.id, params.id) }
    },

    'POST /api/v1/market/offers/{id}/decline': async ({ params, viewer }) => {
      await declineOffer(db, viewer.user, params.id)
      return { data: await market.showOffer(viewer.user.id, params.id) }
    },

    'POST /api/v1/market/offers/{id}/withdraw': async ({ params, viewer }) => {
      await withdrawOffer(db, viewer.user, params.id)
      return { data: await market.showOffer(viewer.user.id, params.id) }
    },

    'POST /api/v1/market/offers/{id}/counter': async ({ params, body, viewer, request }) => {
      const id = await sent<string>(request, viewer.user.id, ({ remember }) =>
        counterOffer(db, params.id, { maker: viewer.user, form: body, remember }),
      )
      return { data: await market.showOffer(viewer.user.id, id) }
    },

    'GET /api/v1/market/conversations': ({ query, viewer }) => market.conversations(viewer.user.id, query),

    'GET /api/v1/market/conversations/{id}': async ({ params, viewer }) => ({
      data: await market.showConversation(viewer.user.id, params.id),
    }),

    'GET /api/v1/market/conversations/{id}/messages': ({ params, query, viewer }) =>
      market.messages(viewer.user.id, params.id, query.cursor),

    'POST /api/v1/market/conversations/{id}/messages': async ({ params, body, viewer, request }) => {
      const message = await sent<SentMessage>(request, viewer.user.id, ({ remember }) =>
        sendMessage(db, params.id, { sender: viewer.user, body, remember }),
      )
      return { data: await market.showMessage(viewer.user.id, message) }
    },

    'PUT /api/v1/market/conversations/{id}/read': async ({ params, viewer }) => {
      await readConversation(db, viewer.user.id, params.id)
    },
  })
}
