import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { places } from '#contract/places.ts'
import { sentences } from '#contract/sentences.ts'
import { call } from '#web/api.ts'
import { refetchOwnListings } from '#web/features/sell/queries.ts'
import { clearSellDraft, readSellDraft, saveSellDraft } from '#web/features/sell/sell-draft.ts'
import { bodyOf, emptySell, type SellValues } from '#web/features/sell/sell-values.ts'
import { useForm } from '#web/form.ts'
import { saySuccess } from '#web/notices.ts'

/** One file or one line of an address is refused under the field that holds them all. */
function problemOf(key: string, message: string) {
  if (key.startsWith('address.')) return { name: 'address', message: sentences.addressInvalid }
  return { name: key.startsWith('media.') ? 'media' : key, message }
}

export function useSell(sellerId: string) {
  const router = useRouter()
  const sell = useForm<SellValues>({
    defaultValues: readSellDraft(sellerId),
    problemOf,
    send: async (values) => {
      await call('POST /api/v1/listings', { body: bodyOf(values) })
      form.reset(emptySell)
      clearSellDraft(sellerId)
      saySuccess('Listed', 'Bidding opens as soon as its photos are checked.')
      void refetchOwnListings()
      await router.navigate({ to: places['my-listings'].path })
    },
  })
  const { form } = sell

  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveSellDraft(sellerId, values) }),
    [form, sellerId],
  )

  return sell
}
