import type { SearchFilter } from '#contract/search.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { keepSaved } from '#web/features/saved-searches/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = { filter: SearchFilter; suggestedName: string; onDone: () => void }

export default function SaveSearch({ filter, suggestedName, onDone }: Props) {
  const { field, submit, isSending } = useForm({
    defaultValues: { name: suggestedName, alerts: true },
    send: async (body) => {
      const { data } = await call('POST /api/v1/saved-searches', { body: { ...body, filter } })
      keepSaved((saved) => [data, ...saved])
      saySuccess('Search saved', data.alerts ? 'An email tells you of each new listing that matches.' : undefined)
      onDone()
    },
  })
  return (
    <Dialog title="Save this search" onDismiss={onDone}>
      <form aria-label="Save this search" onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField label="Name" maxLength={60} autoComplete="off" {...field('name', { required: 'Name is required' })} />
        <Checkbox label="Email me when a new listing matches" {...field('alerts')} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button kind="plain" onClick={onDone} disabled={isSending} className="max-md:flex-auto">
            Cancel
          </Button>
          <Button type="submit" isLoading={isSending} className="max-md:flex-auto">
            Save search
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
