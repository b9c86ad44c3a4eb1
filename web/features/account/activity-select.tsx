import type { ComponentProps } from 'react'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'

const sides = { merchant: 'Merchants', trade: 'Trades' } as const

export const isActivity = (text: string | null | undefined): text is BusinessActivity =>
  text != null && Object.hasOwn(businessActivities, text)

export const activitiesOf = (side: keyof typeof sides) =>
  Object.entries(businessActivities).filter(([, activity]) => activity.side === side)

export function ActivitySelect(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) {
  return (
    <SelectField label="Business activity" {...props}>
      <option value="">Choose what your business does</option>
      {(['merchant', 'trade'] as const).map((side) => (
        <optgroup key={side} label={sides[side]}>
          {activitiesOf(side).map(([id, { label }]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
