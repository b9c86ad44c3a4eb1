import { Controller } from 'react-hook-form'
import type { Offer } from '#contract/market/conversations.ts'
import { MESSAGE_MAX } from '#contract/values/limits.ts'
import { formatPence } from '#domain/format.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import { penceOf } from '#domain/money.ts'
import { call } from '#web/api/api.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { useForm } from '#web/forms/form.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

const PRICE_MAX = 1_000_000

type Props = {
  title: string
  /** A first offer for an enquiry, or an answer to the other side's. */
  to: { enquiryId: string } | { offerId: string }
  onMade: (offer: Offer) => void
  onCancel: () => void
}

/** Price, day and a word with it. */
export default function OfferForm({ title, to, onMade, onCancel }: Props) {
  const sendOnce = useIdempotentSend()
  const { form, field, errorOf, submit, isSending } = useForm<{ price: number | null; collect_at: string; message: string }>({
    defaultValues: { price: null, collect_at: '', message: '' },
    send: async ({ price, collect_at, message }) => {
      const body = { price: penceOf(price ?? 0), ...(collect_at && { collect_at }), ...(message.trim() && { message: message.trim() }) }
      const { data } = await sendOnce({ body, to }, (idempotencyKey) =>
        'enquiryId' in to
          ? call('POST /api/v1/market/enquiries/{id}/offers', { params: { id: to.enquiryId }, body, idempotencyKey })
          : call('POST /api/v1/market/offers/{id}/counter', { params: { id: to.offerId }, body, idempotencyKey }),
      )
      onMade(data)
    },
  })
  const price = form.watch('price')
  return (
    <Dialog title={title} onDismiss={onCancel}>
      <form aria-label={title} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Controller
          control={form.control}
          name="price"
          rules={{ validate: (value) => (value !== null && value > 0) || 'Enter a price' }}
          render={({ field: { name, value, onChange } }) => (
            <NumberField
              name={name}
              label="Price for the lot"
              unit="£"
              min={0.01}
              max={PRICE_MAX}
              decimals={2}
              value={value}
              onValue={onChange}
              error={errorOf('price')}
            />
          )}
        />
        <TextField label="Collection on (optional)" type="date" min={formatIsoDay(serverNow())} {...field('collect_at')} />
        <TextArea
          label="Message (optional)"
          help="Contact details are shown to both of you when the deal is agreed."
          maxLength={MESSAGE_MAX}
          {...field('message')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button kind="plain" onClick={onCancel} disabled={isSending} className="max-md:flex-auto">
            Cancel
          </Button>
          <Button type="submit" isLoading={isSending} className="max-md:flex-auto">
            {price ? `Offer ${formatPence(penceOf(price))}` : 'Make the offer'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
