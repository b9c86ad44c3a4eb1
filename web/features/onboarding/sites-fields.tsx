import { Plus, X } from 'lucide-react'
import type { ComponentType } from 'react'
import { Controller, useFieldArray } from 'react-hook-form'
import { NAME_MAX } from '#contract/values/limits.ts'
import { MOST_SITES } from '#contract/values/onboarding-stages.ts'
import type { BusinessForm } from '#web/features/onboarding/use-business.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = Pick<BusinessForm, 'form' | 'field' | 'errorOf'> & { AddressField: ComponentType<AddressInput> }

/** The yards besides the company address; none is fine too. */
export function SitesFields({ form, field, errorOf, AddressField }: Props) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'sites' })
  return (
    <div className="grid gap-4">
      {fields.map(({ id }, nth) => (
        <div key={id} role="group" aria-label={`Site ${nth + 1}`} className="grid gap-4 border-l-2 border-line pl-4">
          <div className="flex items-center justify-between gap-3">
            <p className="font-strong">Site {nth + 1}</p>
            <button
              type="button"
              aria-label={`Remove site ${nth + 1}`}
              onClick={() => remove(nth)}
              className="grid size-11 place-items-center rounded-base text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </div>
          <TextField
            label="Name"
            placeholder="Main yard"
            maxLength={NAME_MAX}
            {...field(`sites.${nth}.name`, { validate: (name) => name.trim() !== '' || 'Site name is required' })}
          />
          <Controller
            control={form.control}
            name={`sites.${nth}.address`}
            rules={{ validate: (address) => address !== null || 'Address is required' }}
            render={({ field: { name, value, onChange } }) => (
              <AddressField label="Address" {...{ name, value, onChange }} error={errorOf(`sites.${nth}.address`)} />
            )}
          />
        </div>
      ))}
      {fields.length < MOST_SITES && (
        <Button kind="plain" className="justify-self-start" onClick={() => append({ name: '', address: null })}>
          <Plus className="size-4" aria-hidden="true" />
          {fields.length > 0 ? 'Add another site' : 'Add a site'}
        </Button>
      )}
    </div>
  )
}
