import { useRef, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import type { BidBody } from '#web/features/bids/bid-amounts.ts'
import { refetchBids } from '#web/features/bids/queries.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

export type Refusal = { code: string; message: string; minimum_bid: number | undefined }

type Answers = {
  onPlaced: (listing: Listing, isLeading: boolean) => void
  onRefused: (refusal: Refusal) => void
}

/** What timed out is asked for again, never bid twice (RULES §3.8). */
export function usePlaceBid(id: string, { onPlaced, onRefused }: Answers) {
  // a bid's price may be another's a second later: its dialog says at once that there was no answer
  const sendOnce = useIdempotentSend({ asksAgain: false })
  const isUnderWay = useRef(false)
  const [isSending, setIsSending] = useState(false)
  const [unanswered, setUnanswered] = useState<{ of: string; says: string }>()

  async function place(body: BidBody) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsSending(true)
    setUnanswered(undefined)
    const of = JSON.stringify([id, body])
    try {
      const { data } = await sendOnce(of, (idempotencyKey) =>
        call('POST /api/v1/listings/{id}/bids', { params: { id }, body, idempotencyKey }),
      )
      // it may have arrived live as a stranger's
      void refetchBids(id)
      onPlaced(data.listing, data.bid.is_leading)
    } catch (error) {
      if (error instanceof ApiError && error.canRetry) return setUnanswered({ of, says: error.message })
      // after the session's end the log-in page is on its way
      if (!(error instanceof ApiError && error.status === 401)) onRefused(refusalOf(error))
    } finally {
      isUnderWay.current = false
      setIsSending(false)
    }
  }
  /** What was said when this bid got no answer; another bid is not that one. */
  const unansweredOf = (body: BidBody) => (unanswered?.of === JSON.stringify([id, body]) ? unanswered.says : undefined)
  return { place, isSending, unansweredOf }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { code: 'unknown', message: messageOf(error), minimum_bid: undefined }
  const [firstOfField] = Object.values(error.errors).flat()
  return { code: error.code, message: firstOfField ?? error.message, minimum_bid: error.minimum_bid }
}
