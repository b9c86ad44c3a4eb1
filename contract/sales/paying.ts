import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { listingId, salePayment } from '#contract/listings.ts'
import { money } from '#contract/fields.ts'

const payReply = z.object({
  data: z.object({
    client_secret: z.string(),
    amount: money,
    bank_details: salePayment.shape.bank_details,
  }),
})

export const payingEndpoints = endpoints({
  'POST /api/v1/listings/{id}/pay': {
    summary: 'Begin to pay what is due, by card or by bank transfer; a second call answers the open payment',
    access: 'member',
    params: listingId,
    body: z.object({ method: z.enum(['card', 'bank_transfer']).optional() }).optional(),
    replies: { 200: payReply },
  },
  'POST /api/v1/listings/{id}/holding-fee': {
    summary: 'Confirm the holding fee when the card’s bank asks for it, or give another card',
    access: 'member',
    params: listingId,
    replies: { 200: z.object({ data: z.object({ client_secret: z.string() }) }) },
  },
})
