import { useWatch } from 'react-hook-form'
import type { User } from '#contract/account.ts'
import { EMAIL_MAX, PASSWORD_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { keepMe } from '#web/features/account/me.ts'
import { required } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** A new address takes over the account once it is confirmed, so it asks for the password. */
export function EmailForm({ user }: { user: User }) {
  const { form, field, submit, isSending } = useForm<{ email: string; current_password: string }>({
    defaultValues: { email: user.email, current_password: '' },
    send: async (body) => {
      const { data } = await call('PUT /api/v1/auth/me', { body })
      keepMe(data)
      form.reset({ email: data.email, current_password: '' })
      saySuccess(sentences.success, sentences.checkYourEmail)
    },
  })
  const { isBusy, run } = useOneAtATime()
  const callOff = () =>
    run(async () => {
      try {
        keepMe((await call('PUT /api/v1/auth/me', { body: { email: user.email } })).data)
      } catch (error) {
        sayError(error, () => void callOff())
      }
    })
  const isChanged = useWatch({ control: form.control, name: 'email' }).trim() !== user.email
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Change email">
      <TextField label="Email" type="email" autoComplete="email" maxLength={EMAIL_MAX} {...field('email', required('Email'))} />
      {user.new_email && !isChanged && (
        <Callout look="warning">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="wrap-anywhere">
              We sent a link to {user.new_email}. You log in with {user.email} until you have opened it.
            </p>
            <Button kind="plain" isLoading={isBusy} onClick={() => void callOff()}>
              Call it off
            </Button>
          </div>
        </Callout>
      )}
      {isChanged && (
        <>
          <PasswordField
            label="Current password"
            help="We ask for it whenever the email changes."
            autoComplete="current-password"
            maxLength={PASSWORD_MAX}
            {...field('current_password', required('Password'))}
          />
          <Button type="submit" isLoading={isSending} className="md:justify-self-start">
            Save email
          </Button>
        </>
      )}
    </form>
  )
}
