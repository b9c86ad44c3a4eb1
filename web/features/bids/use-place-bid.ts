import { useRef, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ApiError, messageOf } from '#web/api-error.ts'
import { call } from '#web/api.ts'
import type { BidBody } from '#web/features/bids/bid-amounts.ts'
import { refetchBids } from '#web/features/bids/queries.ts'

export type Refusal = { code: string; message: string; minimum_bid: number | undefined }

type Attempt = { of: string; key: string }
type Answers = { onPlaced: (listing: Listing, isLeading: boolean) => void; onRefused: (refusal: Refusal) => void }

/** One key per attempt, kept until it is answered: what timed out is asked for again, never bid twice (RULES §3.8). */
export function usePlaceBid(id: string, { onPlaced, onRefused }: Answers) {
  const attempt = useRef<Attempt>(null)
  const isUnderWay = useRef(false)
  const [isSending, setIsSending] = useState(false)
  const [unanswered, setUnanswered] = useState<string>()

  async function place(body: BidBody) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsSending(true)
    setUnanswered(undefined)
    const of = JSON.stringify([id, body])
    const { key } = (attempt.current = attempt.current?.of === of ? attempt.current : { of, key: crypto.randomUUID() })
    try {
      const { data } = await call('POST /api/v1/listings/{id}/bids', { params: { id }, body, idempotencyKey: key })
      attempt.current = null
      // it may have arrived live as a stranger's
      void refetchBids(id)
      onPlaced(data.listing, data.bid.is_leading)
    } catch (error) {
      if (error instanceof ApiError && error.canRetry) return setUnanswered(error.message)
      attempt.current = null
      onRefused(refusalOf(error))
    } finally {
      isUnderWay.current = false
      setIsSending(false)
    }
  }
  return { place, isSending, unanswered }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { code: 'unknown', message: messageOf(error), minimum_bid: undefined }
  const [firstOfField] = Object.values(error.errors).flat()
  return { code: error.code, message: firstOfField ?? error.message, minimum_bid: error.minimum_bid }
}
