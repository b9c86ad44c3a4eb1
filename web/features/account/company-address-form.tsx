import type { ComponentType } from 'react'
import { Controller } from 'react-hook-form'
import type { User } from '#contract/account.ts'
import type { FoundAddress } from '#contract/location.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { queryClient } from '#web/api/query-client.ts'
import { meQuery } from '#web/features/account/me.ts'
import { required } from '#web/features/account/rules.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

type Address = NonNullable<User['company_address']>
type Values = { address: FoundAddress | null; set_default_address: boolean }

const foundOf = ({ address_line_1, address_line_2, town, county, post_code, latitude, longitude }: Address): FoundAddress => ({
  address_line_1,
  address_line_2,
  town,
  county: county ?? '',
  post_code,
  latitude,
  longitude,
})

export function CompanyAddressForm({ address, AddressField }: { address: Address | null; AddressField: ComponentType<AddressInput> }) {
  const { form, field, errorOf, submit, isSending } = useForm<Values>({
    defaultValues: { address: address && foundOf(address), set_default_address: address?.is_default_address ?? false },
    problemOf: () => ({ name: 'address', message: sentences.addressInvalid }),
    send: async (values) => {
      if (!values.address) return
      await call('PUT /api/v1/auth/me/company-address', { body: { ...values.address, set_default_address: values.set_default_address } })
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      saySuccess(sentences.addressUpdated)
    },
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-1" aria-label="Change address">
      <Controller
        control={form.control}
        name="address"
        rules={required('Company address')}
        render={({ field: { name, value, onChange } }) => (
          <AddressField label="Company address" {...{ name, value, onChange }} error={errorOf('address')} />
        )}
      />
      <Checkbox label="Set address as default" {...field('set_default_address')} />
      <Button type="submit" isLoading={isSending} className="mt-3 md:justify-self-start">
        Save address
      </Button>
    </form>
  )
}
