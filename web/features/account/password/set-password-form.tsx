import { useWatch } from 'react-hook-form'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { NewPasswordFields } from '#web/features/account/password/new-password-fields.tsx'
import { confirmationRule, newPasswordRule } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'

type Values = { password: string; password_confirmation: string }

/** A new password in place of a temporary one, or with the token of an email. */
export function SetPasswordForm({ token, onDone }: { token?: string; onDone: () => Promise<void> }) {
  const { form, field, submit, isSending } = useForm<Values>({
    defaultValues: { password: '', password_confirmation: '' },
    send: async (values) => {
      await call('POST /api/v1/auth/password/update', { body: { ...values, ...(token && { token }) } })
      saySuccess(sentences.passwordUpdated)
      await onDone()
    },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Choose a new password">
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
