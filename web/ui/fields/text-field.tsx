import type { ComponentProps } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

export function TextField({
  label,
  help,
  error,
  sharedError,
  className,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className'>) {
  const { id, control } = useFieldIds({ help, error, sharedError })
  return (
    <Field {...{ id, label, help, error, className }}>
      <input type="text" className={controlLook} {...input} {...control} />
    </Field>
  )
}
