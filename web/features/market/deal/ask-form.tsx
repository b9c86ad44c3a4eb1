import type { Conversation } from '#contract/market/conversations.ts'
import { MESSAGE_MAX } from '#contract/values/limits.ts'
import { call } from '#web/api/api.ts'
import { useForm } from '#web/forms/form.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'

type Props = { enquiryId: string; onAsked: (conversation: Conversation) => void; onCancel: () => void }

/** A question without an offer. */
export default function AskForm({ enquiryId, onAsked, onCancel }: Props) {
  const sendOnce = useIdempotentSend()
  const { field, submit, isSending } = useForm({
    defaultValues: { body: '' },
    send: async ({ body }) => {
      const { data } = await sendOnce(body, (idempotencyKey) =>
        call('POST /api/v1/market/enquiries/{id}/conversations', { params: { id: enquiryId }, body: { body }, idempotencyKey }),
      )
      onAsked(data)
    },
  })
  return (
    <Dialog title="Ask about it" onDismiss={onCancel}>
      <form aria-label="Ask about it" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextArea label="Your question" maxLength={MESSAGE_MAX} {...field('body', { required: 'Write a message' })} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button kind="plain" onClick={onCancel} disabled={isSending} className="max-md:flex-auto">
            Cancel
          </Button>
          <Button type="submit" isLoading={isSending} className="max-md:flex-auto">
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
