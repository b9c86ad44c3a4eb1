import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { defaultAddressQuery } from '#web/api/default-address.ts'
import type { useSell } from '#web/features/sell/use-sell.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Props = Pick<ReturnType<typeof useSell>, 'form' | 'field'> & {
  error: string | undefined
  AddressField: ComponentType<AddressInput>
}

/** The default address, or another one; without a default the other one is asked for at once. */
export function AddressChoice({ form, field, error, AddressField }: Props) {
  const { data: known, isPending } = useQuery(defaultAddressQuery)
  const isDefault = useWatch({ control: form.control, name: 'use_default_address' })
  if (isPending) return <Skeleton className="h-11 w-full" />
  return (
    <div className="grid gap-3">
      {known && (
        <Checkbox
          label="Use my default address"
          help={[known.address_line_1, known.address_line_2, known.town, known.post_code].filter(Boolean).join(', ')}
          {...field('use_default_address', { onChange: () => form.setValue('address', null) })}
        />
      )}
      {!(known && isDefault) && (
        <Controller
          control={form.control}
          name="address"
          rules={{ validate: (address) => address !== null || 'Address is required' }}
          render={({ field: { name, value, onChange } }) => (
            <AddressField label="Where the goods are" {...{ name, value, onChange, error }} />
          )}
        />
      )}
    </div>
  )
}
