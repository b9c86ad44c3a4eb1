import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, money, time } from '#contract/fields.ts'
import { listing, listingId } from '#contract/listings.ts'

const amount = z.int('Enter your bid, in whole pence').min(1, 'Bid at least 1p').max(1_000_000_000, 'That is more than a bid can be')

/** One row of the history: a bid as placed, or an automatic bid that answered it. */
export const bidRow = z.object({
  id: z.string(),
  /** Of the bid: the same in the rows that answer it. */
  seq: z.int(),
  bidder: z.string(),
  amount: money,
  /** Placed by us on a bidder's behalf, within that bidder's maximum. */
  is_automatic: z.boolean(),
  /** Whether this bidder led after the bid and its answers. */
  is_leading_after: z.boolean(),
  /** The price that the bid and its answers led to. */
  price_after: money,
  accepted_at: time,
  /** The end that this bid, a late one, moved the listing to. */
  extended_to: time.nullable(),
})

export const bid = bidRow.extend({ is_mine: z.boolean() }).meta({ id: 'Bid' })

export const placedBid = z.object({
  id: z.string(),
  seq: z.int(),
  amount: money,
  max_amount: money,
  current_price: money,
  is_leading: z.boolean(),
  accepted_at: time,
})

export const bidEndpoints = endpoints({
  'GET /api/v1/listings/{id}/bids': {
    summary:
      'The bids so far with the automatic ones that answered them, newest first, by 50 bids; bidders are numbers to everybody but the seller',
    access: 'anyone',
    params: listingId,
    query: z.object({ cursor: z.string().max(200).optional() }),
    replies: { 200: z.object({ data: z.array(bid), meta: cursorMeta }) },
  },
  'POST /api/v1/listings/{id}/bids': {
    summary: 'Bid an amount, or up to a maximum; needs an Idempotency-Key',
    access: 'member',
    permission: 'auction_bid',
    params: listingId,
    body: z
      .strictObject({ amount, max_amount: amount.optional() })
      .refine(({ amount: least, max_amount: most }) => most === undefined || most >= least, {
        path: ['max_amount'],
        message: 'The maximum is less than the bid',
      }),
    replies: { 201: z.object({ data: z.object({ bid: placedBid, listing }) }) },
  },
})
