import { useState } from 'react'
import type { Listing, SalePayment } from '#contract/listings.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { untilKnown } from '#web/bank-card/confirmation.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

export type Method = SalePayment['method']

export type PayingProps = {
  listing: Listing
  /** The listing as the server has it now. */
  onListing: (listing: Listing) => void
}

export const canPay = ({ available_actions }: Listing): boolean => available_actions.some(({ action }) => action === 'pay')

/** From the choice of a method to the moment when our own server knows of the money. */
export function usePaying({ listing, onListing }: PayingProps) {
  const sendOnce = useIdempotentSend()
  const [stage, setStage] = useState<'open' | 'waiting' | 'unknown'>('open')
  const params = { id: listing.id }

  const reread = async (): Promise<Listing> => {
    const { data } = await call('GET /api/v1/listings/{id}', { params })
    onListing(data)
    return data
  }

  /** The server answers with the open payment if there is one; another method takes its place. */
  const begin = async (method: Method): Promise<string> => {
    try {
      const { data } = await sendOnce([listing.id, method], (idempotencyKey) =>
        call('POST /api/v1/listings/{id}/pay', { params, body: { method }, idempotencyKey }),
      )
      return data.client_secret
    } catch (error) {
      // refused: the listing has moved on, so it is read again; if that fails too, the refusal is what is shown
      if (error instanceof ApiError && !error.canRetry) await reread().catch(() => null)
      throw error
    }
  }

  /** A card was confirmed: the provider tells our server a moment later. */
  const wait = async (): Promise<void> => {
    setStage('waiting')
    const paidBefore = listing.amounts?.paid.value ?? 0
    const isKnown = await untilKnown(async () => {
      const now = await reread()
      return !canPay(now) || now.payment?.status === 'processing' || (now.amounts?.paid.value ?? 0) > paidBefore
    })
    setStage(isKnown ? 'open' : 'unknown')
    if (isKnown) saySuccess('Your payment was taken', listing.title)
  }

  return { stage, begin, wait, reread }
}
