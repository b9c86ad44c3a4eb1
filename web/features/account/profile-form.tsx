import { useWatch } from 'react-hook-form'
import type { User } from '#contract/account.ts'
import { businessTypes } from '#contract/values/business.ts'
import { COMPANY_NAME_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { ActivitySelect, isActivity } from '#web/features/account/activity-select.tsx'
import { keepMe } from '#web/features/account/me.ts'
import { PersonFields } from '#web/features/account/person-fields.tsx'
import { required, vatRule } from '#web/features/account/rules.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

const valuesOf = ({ first_name, surname, business_type, business_activity, profile, vat_number, not_vat_registered }: User) => ({
  first_name,
  surname,
  business_type,
  business_activity: business_activity ?? '',
  profile,
  vat_number: vat_number ?? '',
  not_vat_registered,
})
type Values = ReturnType<typeof valuesOf>

const vatWords: Record<User['vat_status'], string> = {
  unchecked: 'We are asking the VAT register about it.',
  valid: 'Found in the VAT register.',
  failed: 'Not in the VAT register. Correct it, or tick the box below: your sales have to wait until then.',
}

export function ProfileForm({ user }: { user: User }) {
  const { form, field, submit, isSending } = useForm<Values>({
    defaultValues: valuesOf(user),
    send: async ({ business_activity, vat_number, ...values }) => {
      const body = {
        ...values,
        vat_number: values.not_vat_registered ? null : vat_number,
        ...(isActivity(business_activity) && { business_activity }),
      }
      const { data } = await call('PUT /api/v1/auth/me', { body })
      keepMe(data)
      form.reset(valuesOf(data))
      saySuccess(sentences.profileUpdated)
    },
  })
  const [isWithoutVat, vatNumber] = useWatch({ control: form.control, name: ['not_vat_registered', 'vat_number'] })
  const vatWord = !isWithoutVat && user.vat_number && vatNumber === user.vat_number ? vatWords[user.vat_status] : undefined

  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Your details">
      <PersonFields field={field} />
      <RadioGroup label="Business type" options={businessTypes} {...field('business_type')} />
      <ActivitySelect {...field('business_activity')} />
      <TextField
        label="Company name"
        autoComplete="organization"
        maxLength={COMPANY_NAME_MAX}
        {...field('profile.company_name', required('Company name'))}
      />
      <div className="grid gap-1">
        <TextField
          label="VAT number"
          autoCapitalize="characters"
          help={vatWord}
          {...field('vat_number', vatRule)}
          disabled={isWithoutVat}
        />
        <Checkbox label="Not VAT registered" {...field('not_vat_registered', { deps: ['vat_number'] })} />
      </div>
      <Button type="submit" isLoading={isSending} className="md:justify-self-start">
        Save details
      </Button>
    </form>
  )
}
