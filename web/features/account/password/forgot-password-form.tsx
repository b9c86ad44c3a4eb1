import { EMAIL_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { required } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

export function ForgotPasswordForm() {
  const { field, submit, isSending } = useForm<{ email: string }>({
    defaultValues: { email: '' },
    send: async (body) => {
      await call('POST /api/v1/auth/password/reset', { body, skipAuthRedirect: true })
      saySuccess(sentences.success, sentences.checkYourEmail)
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Forgot password">
      <TextField label="Email" type="email" autoComplete="username" maxLength={EMAIL_MAX} {...field('email', required('Email'))} />
      <Button type="submit" isLoading={isSending} className="w-full">
        Send the link
      </Button>
    </form>
  )
}
