import type { ComponentProps } from 'react'
import { CONTACT_NUMBER_TYPED_MAX, NAME_MAX } from '#contract/values/limits.ts'
import { contactNumberRule, required } from '#web/features/account/rules.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

type PersonPath = 'first_name' | 'surname' | 'profile.date_of_birth' | 'profile.contact_number'
type Rules = ReturnType<typeof required> | typeof contactNumberRule
type PersonForm = {
  /** `field` of the form that these fields belong to. */
  field(this: void, name: PersonPath, rules: Rules): Omit<ComponentProps<typeof TextField>, 'label'>
}

/** Who somebody is and how to reach them: the same when signing up and later. */
export function PersonFields({ field }: PersonForm) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <TextField label="First name" autoComplete="given-name" maxLength={NAME_MAX} {...field('first_name', required('First name'))} />
      <TextField label="Surname" autoComplete="family-name" maxLength={NAME_MAX} {...field('surname', required('Surname'))} />
      <TextField label="Date of birth" type="date" autoComplete="bday" {...field('profile.date_of_birth', required('Date of birth'))} />
      <TextField
        label="Contact number"
        type="tel"
        autoComplete="tel"
        maxLength={CONTACT_NUMBER_TYPED_MAX}
        {...field('profile.contact_number', contactNumberRule)}
      />
    </div>
  )
}
