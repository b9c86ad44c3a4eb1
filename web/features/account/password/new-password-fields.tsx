import type { ComponentProps } from 'react'
import { PASSWORD_MAX } from '#contract/values/limits.ts'
import { passwordRules } from '#contract/values/password.ts'
import { PasswordChecklist, PasswordField } from '#web/ui/fields/password-field.tsx'

type FieldOf = Omit<ComponentProps<typeof PasswordField>, 'label'>
type Props = { typed: string; password: FieldOf; confirmation: FieldOf; label?: string; confirmLabel?: string }

export function NewPasswordFields({ typed, password, confirmation, label = 'Password', confirmLabel = 'Confirm password' }: Props) {
  return (
    <>
      <div className="grid gap-3">
        <PasswordField label={label} autoComplete="new-password" maxLength={PASSWORD_MAX} {...password} />
        <PasswordChecklist rules={passwordRules} password={typed} />
      </div>
      <PasswordField label={confirmLabel} autoComplete="new-password" maxLength={PASSWORD_MAX} {...confirmation} />
    </>
  )
}
