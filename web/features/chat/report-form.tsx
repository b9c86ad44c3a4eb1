import type { ReportType } from '#contract/people/chat.ts'
import { REASON_MAX } from '#contract/values/limits.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'

type Props = { about: { type: ReportType; id: string }; name: string; onDone: () => void }

export default function ReportForm({ about, name, onDone }: Props) {
  const { field, submit, isSending } = useForm({
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      await call('POST /api/v1/reports', { body: { about, reason } })
      saySuccess('Reported', 'Thank you. We keep your report with the conversation.')
      onDone()
    },
  })
  return (
    <Dialog title={`Report ${name}`} onDismiss={onDone}>
      <form aria-label={`Report ${name}`} onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextArea
          label="What is wrong?"
          help="We can read this conversation when you report it. The other side is not told."
          maxLength={REASON_MAX}
          {...field('reason', { required: 'Say what is wrong' })}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button kind="plain" onClick={onDone} disabled={isSending} className="max-md:flex-auto">
            Cancel
          </Button>
          <Button type="submit" isLoading={isSending} className="max-md:flex-auto">
            Report
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
