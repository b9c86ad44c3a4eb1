import type { ComponentProps } from 'react'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** A code of the authenticator app, or one of the recovery codes. */
export function CodeField(field: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Code of your authenticator app"
      help="Or one of your recovery codes"
      autoComplete="one-time-code"
      maxLength={40}
      {...field}
    />
  )
}
