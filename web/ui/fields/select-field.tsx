import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

export function SelectField({
  label,
  help,
  error,
  className,
  children,
  ...select
}: FieldProps & Omit<ComponentProps<'select'>, 'className'>) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <Field {...{ id, label, help, error, className }}>
      <div className="relative">
        <select className={`${controlLook} appearance-none pr-10`} {...select} {...control}>
          {children}
        </select>
        <ChevronDown className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted" aria-hidden="true" />
      </div>
    </Field>
  )
}
