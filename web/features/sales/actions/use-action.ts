import { useRef, useState } from 'react'
import type { AvailableAction } from '#contract/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { wordsOf } from '#web/features/sales/actions/action-words.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

export type ActionProps = {
  listing: Listing
  action: AvailableAction
  /** The listing as it stands afterwards; of a relisting the new one. */
  onDone: (listing: Listing) => void
  /** The listing stands elsewhere than it was thought to. */
  onRefused: () => void
  onClose: () => void
}

/** Sends an action once, however often it is pressed. What refuses it and belongs to no field is `refusal`. */
export function useAction({ listing, action: { action, label, fields }, onDone, onRefused, onClose }: ActionProps) {
  const sendOnce = useIdempotentSend()
  const isUnderWay = useRef(false)
  const [isSending, setIsSending] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  /** Throws what its fields have to say. */
  async function send(body: Record<string, unknown>): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsSending(true)
    setRefusal(undefined)
    try {
      const params = { id: listing.id, action }
      const { data } = await sendOnce([params, body], (idempotencyKey) =>
        call('POST /api/v1/listings/{id}/actions/{action}', { params, body, idempotencyKey }),
      )
      saySuccess(wordsOf(action, label).done, data.title)
      onClose()
      onDone(data)
    } catch (error) {
      if (isOfFields(error, fields)) throw error
      setRefusal(messageOf(error))
      if (!(error instanceof ApiError && error.canRetry)) onRefused()
    } finally {
      isUnderWay.current = false
      setIsSending(false)
    }
  }
  return { send, isSending, refusal }
}

const isOfFields = (error: unknown, fields: AvailableAction['fields']) =>
  error instanceof ApiError &&
  error.status === 422 &&
  Object.keys(error.errors).length > 0 &&
  Object.keys(error.errors).every((key) => fields.some(({ name }) => name === key.split('.')[0]))
