import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PASSWORD_MAX } from '#contract/values/limits.ts'
import { formatDay } from '#domain/format-time.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { queryClient } from '#web/api/query-client.ts'
import { CodeField } from '#web/features/account/code-field.tsx'
import { required } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

const factorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/auth/second-factor', { signal })).data,
})

type Begun = { secret: string; otpauth_url: string }

/** Off, being set up, or on. */
export default function SecondFactor() {
  const factor = useQuery(factorQuery)
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<string[]>()
  const show = () => queryClient.invalidateQueries({ queryKey: factorQuery.queryKey })
  if (codes) return <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
  if (begun)
    return (
      <FirstCode
        begun={begun}
        onDone={async (made) => {
          setBegun(undefined)
          setCodes(made)
          await show()
        }}
      />
    )
  if (factor.isError)
    return (
      <div className="grid justify-items-start gap-3">
        <p>This did not load.</p>
        <Button kind="plain" onClick={() => void factor.refetch()}>
          Try again
        </Button>
      </div>
    )
  if (!factor.data) return null
  const { enabled, since, required: isRequired, recovery_codes_left } = factor.data
  if (!enabled) return <Begin isRequired={isRequired} onBegun={setBegun} />
  return (
    <div className="grid gap-5">
      <p>
        On{since && ` since ${formatDay(new Date(since))}`}. {recovery_codes_left} recovery codes are left.
      </p>
      {!isRequired && <SwitchOff onDone={show} />}
    </div>
  )
}

function Begin({ isRequired, onBegun }: { isRequired: boolean; onBegun: (begun: Begun) => void }) {
  const { field, submit, isSending } = useForm({
    defaultValues: { password: '' },
    send: async (body) => {
      await call('POST /api/v1/auth/reauthenticate', { body })
      onBegun((await call('POST /api/v1/auth/second-factor')).data)
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Set up a second factor">
      {isRequired && (
        <Callout look="warning" title="Your role needs a second factor">
          <p>Set one up. Until then the rest of Yardbid stays closed.</p>
        </Callout>
      )}
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        maxLength={PASSWORD_MAX}
        {...field('password', required('Password'))}
      />
      <Button type="submit" kind="plain" isLoading={isSending} className="md:justify-self-start">
        Set it up
      </Button>
    </form>
  )
}

function FirstCode({ begun: { secret, otpauth_url }, onDone }: { begun: Begun; onDone: (codes: string[]) => Promise<void> }) {
  const { field, submit, isSending } = useForm({
    defaultValues: { otp: '' },
    send: async (body) => onDone((await call('POST /api/v1/auth/second-factor/confirm', { body })).data.recovery_codes),
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Confirm the second factor">
      <div className="grid gap-2">
        <p>Add this key to your authenticator app, then type the code that it shows.</p>
        <div className="flex flex-wrap items-center gap-3">
          <code className="tabular min-w-0 rounded-base bg-sunken px-3 py-2 [overflow-wrap:anywhere]">{secret}</code>
          <CopyButton value={secret} name="the key" />
        </div>
        <a href={otpauth_url} className="link inline-flex min-h-11 items-center justify-self-start">
          Open it in an app on this device
        </a>
      </div>
      <CodeField {...field('otp', required('Code'))} />
      <Button type="submit" isLoading={isSending} className="md:justify-self-start">
        Switch it on
      </Button>
    </form>
  )
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="grid gap-4">
      <Callout look="success" title="The second factor is on">
        <p>Keep these codes where you find them without your phone. Each lets you in once. They are not shown again.</p>
      </Callout>
      <ul className="tabular grid grid-cols-2 gap-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton value={codes.join('\n')} name="the recovery codes" />
        <Button kind="plain" onClick={onKept}>
          I have kept them
        </Button>
      </div>
    </div>
  )
}

function SwitchOff({ onDone }: { onDone: () => Promise<void> }) {
  const { field, submit, isSending } = useForm({
    defaultValues: { password: '', otp: '' },
    send: async (body) => {
      await call('POST /api/v1/auth/second-factor/disable', { body })
      saySuccess('The second factor is off.')
      await onDone()
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Switch the second factor off">
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        maxLength={PASSWORD_MAX}
        {...field('password', required('Password'))}
      />
      <CodeField {...field('otp', required('Code'))} />
      <Button type="submit" kind="plain" isLoading={isSending} className="md:justify-self-start">
        Switch it off
      </Button>
    </form>
  )
}
