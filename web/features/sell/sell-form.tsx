import type { ComponentType, ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { materials } from '#contract/materials.ts'
import { transferMethods } from '#contract/transfer-method.ts'
import type { AddressInput } from '#web/address-input.ts'
import { AddressChoice } from '#web/features/sell/address-choice.tsx'
import { BuyersSee } from '#web/features/sell/buyers-see.tsx'
import { MediaField } from '#web/features/sell/media-field.tsx'
import { PriceFields } from '#web/features/sell/price-fields.tsx'
import { useSell } from '#web/features/sell/use-sell.ts'
import { useUploads } from '#web/upload/use-uploads.ts'
import { Section } from '#web/shell/page.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'

type Props = { sellerId: string; AddressField: ComponentType<AddressInput>; materialOptions: ReactNode }

const TITLE_MAX = 120
const DESCRIPTION_MAX = 5_000
const WORDS_MAX = 100

// RULES §3, in days, until the configuration carries the setting
const durations = { 1: '1', 3: '3', 5: '5', 7: '7', 10: '10', 14: '14' }
const transfers = { [transferMethods.Collection]: 'Collection', [transferMethods.Delivery]: 'Delivery' }

export function SellForm({ sellerId, AddressField, materialOptions }: Props) {
  const { form, field, errorOf, submit, isSending } = useSell(sellerId)
  const { uploads, isUnderWay, add, remove } = useUploads({
    initial: form.getValues('media'),
    onItems: (items) => {
      form.setValue('media', items)
      form.clearErrors('media')
    },
  })
  const material_id = useWatch({ control: form.control, name: 'material_id' })

  return (
    <form noValidate onSubmit={submit} aria-label="List goods">
      <Section title="Photos and videos" about="The whole load, and close up what decides its price.">
        <Controller
          control={form.control}
          name="media"
          rules={{
            validate: (media) => {
              if (isUnderWay) return 'Wait until every file is uploaded'
              return media.length > 0 || 'Add at least one photo'
            },
          }}
          render={({ field: { name } }) => (
            <MediaField name={name} uploads={uploads} onAdd={add} onRemove={remove} error={errorOf('media')} />
          )}
        />
      </Section>

      <Section title="What it is" about="Buyers search by these words.">
        <div className="grid gap-5">
          <TextField
            label="Title"
            maxLength={TITLE_MAX}
            help="As you would say it on the phone: bright copper wire, clean and dry"
            {...field('title', { required: 'Title is required' })}
          />
          <SelectField label="Material" help={aboutMaterial(material_id)} {...field('material_id', { required: 'Choose a material' })}>
            <option value="">Choose a material</option>
            {materialOptions}
          </SelectField>
          <div className="grid grid-cols-2 gap-4">
            <TextField label="Grade (optional)" maxLength={WORDS_MAX} {...field('grade')} />
            <TextField label="Condition (optional)" maxLength={WORDS_MAX} {...field('condition')} />
          </div>
          <TextArea
            label="Description"
            rows={5}
            maxLength={DESCRIPTION_MAX}
            {...field('description', { required: 'Description is required' })}
          />
        </div>
      </Section>

      <Section title="Price" about="Before VAT.">
        <div className="grid gap-5">
          <PriceFields form={form} field={field} errorOf={errorOf} />
          <RadioGroup label="Days it runs" options={durations} {...field('duration_days')} />
        </div>
      </Section>

      <Section title="Handover" about="The listing shows the town and the postcode district, not the street.">
        <div className="grid gap-5">
          <RadioGroup label="How the buyer gets it" options={transfers} {...field('transfer_method_id')} />
          <AddressChoice form={form} field={field} error={errorOf('address')} AddressField={AddressField} />
        </div>
      </Section>

      <Section title="Options">
        <div className="grid gap-1">
          <Checkbox
            label="Late bids extend the end"
            help="A bid in the last 5 minutes gives everybody 5 minutes more."
            {...field('extends_on_late_bids')}
          />
          <Checkbox label="It may be paid later" {...field('accepts_deferred_payment')} />
          <Checkbox label="I invoice the buyer myself" {...field('seller_invoices')} />
        </div>
      </Section>

      <Section title="What buyers see">
        <div className="grid gap-5">
          <BuyersSee control={form.control} />
          <Button type="submit" isLoading={isSending} className="w-full">
            List it
          </Button>
        </div>
      </Section>
    </form>
  )
}

function aboutMaterial(material_id: keyof typeof materials | ''): string | undefined {
  if (material_id === '') return undefined
  const material = materials[material_id]
  if ('is_restricted' in material) return 'Write the serial numbers and where they come from in the description'
  return material.ewc_code ? `EWC code ${material.ewc_code}` : undefined
}
