import { useState, type ComponentType, type ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { businessActivities, businessTypes, type BusinessActivity } from '#contract/values/business.ts'
import { COMPANY_NAME_MAX, EMAIL_MAX } from '#contract/values/limits.ts'
import { ActivitySelect } from '#web/features/account/activity-select.tsx'
import { NewPasswordFields } from '#web/features/account/password/new-password-fields.tsx'
import { PersonFields } from '#web/features/account/person-fields.tsx'
import { confirmationRule, newPasswordRule, required, vatRule } from '#web/features/account/rules.ts'
import { SignUpDialog } from '#web/features/account/sign-up/sign-up-dialog.tsx'
import { useSignUp } from '#web/features/account/sign-up/use-sign-up.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = {
  activity: BusinessActivity | undefined
  AddressField: ComponentType<AddressInput>
  changeActivity: ReactNode
  terms: ReactNode
  continueToProvider: ReactNode
}

export function SignUpForm({ activity, AddressField, changeActivity, terms, continueToProvider }: Props) {
  const [outcome, setOutcome] = useState<'logged_in' | 'checked_first'>()
  const { form, field, errorOf, submit, isSending } = useSignUp(activity, (isLoggedIn) =>
    setOutcome(isLoggedIn ? 'logged_in' : 'checked_first'),
  )
  const [password, isWithoutVat] = useWatch({ control: form.control, name: ['password', 'not_vat_registered'] })

  return (
    <form noValidate onSubmit={submit} className="grid gap-10" aria-label="Sign up">
      <Part title="You">
        <PersonFields field={field} />
      </Part>

      <Part title="Your business">
        <RadioGroup label="Business type" options={businessTypes} {...field('business_type')} />
        {activity ? (
          <p className="flex flex-wrap items-center justify-between gap-x-4 border-y border-line py-1">
            <span>
              Business activity: <strong>{businessActivities[activity].label}</strong>
            </span>
            {changeActivity}
          </p>
        ) : (
          <ActivitySelect {...field('business_activity', required('Business activity'))} />
        )}
        <TextField
          label="Company name"
          autoComplete="organization"
          maxLength={COMPANY_NAME_MAX}
          {...field('profile.company_name', required('Company name'))}
        />
        <div className="grid">
          <Controller
            control={form.control}
            name="address"
            rules={required('Company address')}
            render={({ field: { name, value, onChange } }) => (
              // a form that was cleared begins a new search
              <AddressField key={outcome} label="Company address" {...{ name, value, onChange }} error={errorOf('address')} />
            )}
          />
          <Checkbox label="Set address as default" {...field('set_default_address')} />
        </div>
        <div className="grid gap-1">
          <TextField label="VAT number" autoCapitalize="characters" {...field('vat_number', vatRule)} disabled={isWithoutVat} />
          <Checkbox label="Not VAT registered" {...field('not_vat_registered', { deps: ['vat_number'] })} />
        </div>
      </Part>

      <Part title="Your login">
        <TextField label="Email" type="email" autoComplete="email" maxLength={EMAIL_MAX} {...field('email', required('Email'))} />
        <NewPasswordFields
          typed={password}
          password={field('password', newPasswordRule)}
          confirmation={field('password_confirmation', confirmationRule)}
        />
      </Part>

      <div className="grid gap-4 border-t border-line pt-6">
        <Checkbox
          label={terms}
          {...field('profile.terms_accepted', { validate: (value) => value || 'Accept the terms and the privacy policy to sign up' })}
        />
        <Button type="submit" isLoading={isSending} className="w-full">
          Sign up
        </Button>
      </div>
      {outcome && <SignUpDialog isLoggedIn={outcome === 'logged_in'} continueToProvider={continueToProvider} />}
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-5">
      <h2 className="tabular border-b border-line pb-2 text-20">{title}</h2>
      {children}
    </section>
  )
}
