import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: ReactNode; help?: ReactNode; error?: string | undefined }

export function Checkbox({ label, help, error, ...input }: Props) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 items-center gap-3 py-1">
        <span className="relative grid size-5 shrink-0 place-items-center">
          <input
            type="checkbox"
            className="peer size-5 appearance-none rounded-[4px] border border-control bg-surface checked:border-primary-fill checked:bg-primary-fill aria-invalid:border-danger"
            {...input}
            {...control}
          />
          <Check
            className="pointer-events-none absolute hidden size-4 text-on-primary peer-checked:block"
            strokeWidth={3}
            aria-hidden="true"
          />
        </span>
        <span>{label}</span>
      </label>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}
