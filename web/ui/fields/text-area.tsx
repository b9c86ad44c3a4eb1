import type { ComponentProps } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

export function TextArea({ label, help, error, className, ...input }: FieldProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <Field {...{ id, label, help, error, className }}>
      <textarea rows={3} className={`${controlLook} py-2`} {...input} {...control} />
    </Field>
  )
}
