import { useWatch } from 'react-hook-form'
import { PASSWORD_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { NewPasswordFields } from '#web/features/account/password/new-password-fields.tsx'
import { confirmationRule, newPasswordRule, required } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

const empty = { current_password: '', password: '', password_confirmation: '' }

export function ChangePasswordForm() {
  const { form, field, submit, isSending } = useForm<typeof empty>({
    defaultValues: empty,
    send: async (body) => {
      await call('PUT /api/v1/auth/me/password', { body })
      form.reset(empty)
      saySuccess(sentences.passwordUpdated)
    },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Change password">
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        maxLength={PASSWORD_MAX}
        {...field('current_password', required('Password'))}
      />
      <NewPasswordFields
        label="New password"
        confirmLabel="Confirm new password"
        typed={password}
        password={field('password', newPasswordRule)}
        confirmation={field('password_confirmation', confirmationRule)}
      />
      <Button type="submit" isLoading={isSending} className="md:justify-self-start">
        Save password
      </Button>
    </form>
  )
}
