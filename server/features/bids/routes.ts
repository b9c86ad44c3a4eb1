import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { bidEndpoints } from '#contract/bids.ts'
import { gbp } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'
import type { BidAnswer } from '#server/features/bids/batch.ts'
import type { BidDecider } from '#server/features/bids/decider.ts'
import { findBids, type BidCursor } from '#server/features/bids/queries.ts'
import { findListing, presentForBidder, showListing } from '#server/features/listings/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { mediaOf } from '#server/features/storage/public.ts'
import { gather } from '#server/db/gather.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'
import { presentBid } from '#server/live/bid-facts.ts'

const PAGE = 50

export type BidDeps = { db: Db; readSetting: ReadSetting; bids: BidDecider }

export function bidRoutes(app: FastifyInstance, { db, readSetting, bids }: BidDeps): void {
  // one query for everybody who is answered at this moment
  const mediaOfOne = gather(async (ids: string[]) => {
    const media = await mediaOf(db, [...new Set(ids)])
    return ids.map(() => media)
  })

  serve(app, bidEndpoints, {
    'GET /api/v1/listings/{id}/bids': async ({ params, query, viewer }) => {
      const viewerId = viewer.user?.id ?? null
      const listing = await findListing(db, params.id, viewerId)
      if (!listing) throw notFound()
      const rows = await findBids(db, listing.id, { before: readCursor(query.cursor), limit: PAGE + 1 })
      const shown = rows.slice(0, PAGE)
      const isOwner = listing.seller_id === viewerId
      return {
        data: shown.flatMap((bid) =>
          presentBid(bid)
            .map(({ number, row }) => {
              const [userId, company] = number === bid.number ? [bid.bidder_id, bid.company_name] : [bid.former_id, bid.former_company]
              return { ...row, ...(isOwner && company && { bidder: company }), is_mine: userId === viewerId }
            })
            .toReversed(),
        ),
        meta: { next_cursor: rows.length > PAGE ? String(shown.at(-1)?.seq) : null, prev_cursor: null, per_page: PAGE },
      }
    },

    'POST /api/v1/listings/{id}/bids': async ({ params, body, viewer, request }) => {
      const bidderId = viewer.user.id
      if (!isUuid(params.id)) throw notFound()
      const key = request.headers['idempotency-key']
      const { answer, listing, steps } = await bids.place({
        listingId: params.id.toLowerCase(),
        bidderId,
        amount: body.amount,
        max: body.max_amount ?? body.amount,
        key: typeof key === 'string' && key !== '' ? key.slice(0, 200) : randomUUID(),
      })
      if (answer.outcome === 'refused') throw asRefusal(answer)
      if (!listing) throw notFound()
      const { bid } = answer
      // asked again after the end, it may be a purchase by now
      const shown =
        listing.status === 'Active'
          ? presentForBidder(listing, { viewerId: bidderId, steps, media: await mediaOfOne(listing.id) })
          : await showListing(db, readSetting, listing, bidderId)
      return {
        data: {
          bid: {
            id: bid.id,
            seq: bid.seq,
            amount: gbp(bid.amount),
            max_amount: gbp(bid.max_amount),
            current_price: gbp(bid.price_after),
            is_leading: bid.is_leading,
            accepted_at: bid.accepted_at,
          },
          listing: shown,
        },
      }
    },
  })
}

const conflicts = new Set(['bid_too_low', 'maximum_not_raised', 'listing_not_active', 'listing_ended'])

function asRefusal({ code, says, minimum_bid }: Extract<BidAnswer, { outcome: 'refused' }>) {
  if (code === 'not_found') return notFound()
  if (code === 'bid_too_high') return refuseField('amount', says)
  if (code === 'idempotency_key_reused') return refuse('invalid', says, { code, errors: { 'Idempotency-Key': [says] } })
  if (conflicts.has(code))
    return refuse('conflict', says, { code, ...(minimum_bid !== undefined && { data: { minimum_bid: gbp(minimum_bid) } }) })
  return refuse('forbidden', says, { code })
}

function readCursor(text: string | undefined): BidCursor | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw refuseField('cursor', 'Invalid cursor.')
  return { seq: Number(text) }
}
