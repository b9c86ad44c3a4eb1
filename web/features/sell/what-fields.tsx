import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { isRestricted } from '#web/features/sell/sell-values.ts'
import type { Sell } from '#web/features/sell/use-sell.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

const TITLE_MAX = 120
const DESCRIPTION_MAX = 5_000
const WORDS_MAX = 100
const EWC_MAX = 12
const SERIALS_MAX = 2_000
const SOURCE_MAX = 200

type Props = Pick<Sell, 'form' | 'field'> & { materialOptions: ReactNode }

export function WhatFields({ form, field, materialOptions }: Props) {
  const material_id = useWatch({ control: form.control, name: 'material_id' })

  /** The code follows the material until somebody writes another one. */
  const suggestCode = () => {
    const { material_id: chosen, ewc_code } = form.getValues()
    if (ewc_code === '' || suggestions.has(ewc_code)) form.setValue('ewc_code', (chosen && materials[chosen].ewc_code) || '')
  }
  return (
    <div className="grid gap-5">
      <TextField
        label="Title"
        maxLength={TITLE_MAX}
        enterKeyHint="next"
        help="As you would say it on the phone: bright copper wire, clean and dry"
        {...field('title', { required: 'Title is required' })}
      />
      <SelectField label="Material" {...field('material_id', { required: 'Choose a material', onChange: suggestCode })}>
        <option value="">Choose a material</option>
        {materialOptions}
      </SelectField>
      {isRestricted(material_id) && <Provenance field={field} />}
      <TextArea
        label="Description"
        rows={4}
        maxLength={DESCRIPTION_MAX}
        help="How clean it is, how it is packed, what a buyer would ask"
        {...field('description', { required: 'Description is required' })}
      />
      <MoreFields form={form} field={field} material_id={material_id} />
    </div>
  )
}

const suggestions = new Set<string | null>(Object.values(materials).map(({ ewc_code }) => ewc_code))

/** RULES §3: of catalytic converters the law wants to know where they come from. */
function Provenance({ field }: Pick<Sell, 'field'>) {
  return (
    <div className="grid gap-5 border-l-2 border-copper pl-4">
      <TextArea
        label="Serial numbers"
        help="One a line. Only you and the buyer see them."
        maxLength={SERIALS_MAX}
        autoCapitalize="characters"
        spellCheck={false}
        {...field('serial_numbers', { required: 'Give the serial numbers' })}
      />
      <TextField
        label="Where they come from"
        help="Such as the garage or dismantler. Only you and the buyer see it."
        maxLength={SOURCE_MAX}
        {...field('source', { required: 'Say where they come from' })}
      />
    </div>
  )
}

/** What most listings go without is out of the way until it is asked for. */
function MoreFields({ form, field, material_id }: Pick<Sell, 'form' | 'field'> & { material_id: MaterialId | '' }) {
  const [startsOpen] = useState(() => form.getValues('grade') !== '' || form.getValues('condition') !== '')
  const code = material_id && materials[material_id].ewc_code
  return (
    <details open={startsOpen} className="group border-t border-line">
      <summary className="flex min-h-11 items-center justify-between gap-3 font-strong">
        Grade, condition{code ? `, EWC code ${code}` : ', EWC code'}
        <ChevronDown className="size-4 shrink-0 text-muted group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="grid grid-cols-2 gap-4 pt-2 pb-4">
        <TextField label="Grade (optional)" maxLength={WORDS_MAX} {...field('grade')} />
        <TextField label="Condition (optional)" maxLength={WORDS_MAX} {...field('condition')} />
        <TextField
          label="EWC code"
          className="col-span-2"
          maxLength={EWC_MAX}
          help="The waste code for the papers, suggested from the material"
          inputMode="numeric"
          {...field('ewc_code')}
        />
      </div>
    </details>
  )
}
