import { useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { EMAIL_MAX, PASSWORD_MAX } from '#contract/values/limits.ts'
import { call } from '#web/api/api.ts'
import { setUser, tellOtherTabs } from '#web/api/session.ts'
import { CodeField } from '#web/features/account/code-field.tsx'
import { required } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { pathAfterLogin } from '#web/navigation/guard.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/fields/field.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Values = { email: string; password: string; otp: string; credentials: '' }

export function LoginForm({ next }: { next: string | undefined }) {
  const router = useRouter()
  const credentialsId = useId()
  const sendOnce = useIdempotentSend()
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const { form, field, errorOf, submit, isSending } = useForm<Values>({
    defaultValues: { email: '', password: '', otp: '', credentials: '' },
    // SPEC §8: a 401 puts its message on the credentials field; a refusal to let in or a wait is said there too
    whenRefused: (error) => {
      if (error.errors['otp'] && !isCodeAsked) {
        setIsCodeAsked(true)
        return true
      }
      if (![401, 403, 429].includes(error.status)) return false
      form.setError('credentials', { type: 'server', message: error.message })
      return true
    },
    send: async ({ email, password, otp }) => {
      const body = { email, password, ...(otp && { otp }), device_name: 'web_app_device' }
      const { data } = await sendOnce(body, (idempotencyKey) =>
        call('POST /auth/login', { body, idempotencyKey, isWebRequest: true, skipAuthRedirect: true }),
      )
      setUser(data.user)
      tellOtherTabs('logged_in')
      router.history.push(pathAfterLogin(data.user, next))
    },
  })
  const refusal = errorOf('credentials')
  const sharedError = refusal && credentialsId

  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Log in">
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={EMAIL_MAX}
        {...field('email', required('Email'))}
        sharedError={sharedError}
      />
      <div className="grid gap-2">
        <PasswordField
          label="Password"
          autoComplete="current-password"
          maxLength={PASSWORD_MAX}
          {...field('password', required('Password'))}
          sharedError={sharedError}
        />
        <FieldError id={credentialsId} error={refusal} />
        <PlaceLink to="forgot-password" className="link -mb-2 inline-flex min-h-11 items-center justify-self-start">
          Forgot password?
        </PlaceLink>
      </div>
      {isCodeAsked && <CodeField {...field('otp', required('Code'))} />}
      <Button type="submit" isLoading={isSending} className="w-full">
        Log in
      </Button>
    </form>
  )
}
