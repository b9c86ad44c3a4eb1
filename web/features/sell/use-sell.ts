import { useEffect } from 'react'
import type { Listing } from '#contract/listings.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { refetchOwnListings } from '#web/features/sell/queries.ts'
import { bodyOf, emptySell, valuesOf, type SellValues } from '#web/features/sell/sell-values.ts'
import { useForm } from '#web/forms/form.ts'
import { askUntilAnswered } from '#web/sending/ask-until-answered.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

export type SellOptions = {
  sellerId: string
  /** The listing that is edited, and what to do with the server's words when that comes too late; without it a new one is made. */
  edit?: { listing: Listing; onTooLate: (message: string) => void } | undefined
  durations: readonly number[]
  onSent: (listing: Listing) => void
}

export function useSell({ sellerId, edit, durations, onSent }: SellOptions) {
  const sendOnce = useIdempotentSend()
  const editing = edit?.listing
  // by seller, or by the listing that is edited: whoever logs in next in this tab begins with an empty form
  const draft = `sell-draft-${editing ? `edit-${editing.id}` : sellerId}`
  const sell = useForm<SellValues>({
    defaultValues: readDraft(draft, editing ? valuesOf(editing) : { ...emptySell, duration_days: usualOf(durations) }),
    problemOf,
    whenRefused: ({ status, message }) => {
      if (!edit || status !== 409) return false
      clearDraft(draft)
      edit.onTooLate(message)
      return true
    },
    send: async (values) => {
      const body = bodyOf(values, editing)
      const { data } = editing
        ? await askUntilAnswered({ ask: () => call('PUT /api/v1/listings/{id}', { params: { id: editing.id }, body }) })
        : await sendOnce(body, (idempotencyKey) => call('POST /api/v1/listings', { body, idempotencyKey }))
      form.reset(emptySell)
      clearDraft(draft)
      void refetchOwnListings()
      onSent(data)
    },
  })
  const { form } = sell

  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draft, values) }), [form, draft])

  return sell
}

export type Sell = ReturnType<typeof useSell>

/** Where the server's error is shown: one file or one line of an address under the field that holds them all. */
function problemOf(key: string, message: string) {
  const [first = key] = key.split('.')
  if (first === 'address' && key !== first) return { name: first, message: sentences.addressInvalid }
  return { name: shownUnder[first] ?? first, message }
}

const shownUnder: Record<string, string> = { expires_at: 'ends_at', documents: 'weighbridge_tickets' }

const USUAL_DAYS = 7

/** A week where it is offered, else the longest of those that are shorter, else the shortest. */
const usualOf = (durations: readonly number[]): string =>
  String(Math.max(...durations.filter((days) => days <= USUAL_DAYS), Math.min(...durations)))
