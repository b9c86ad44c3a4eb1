import { Check } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { businessActivities } from '#contract/values/business.ts'
import type { BusinessForm } from '#web/features/onboarding/use-business.ts'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'

const groups = { merchant: 'Merchants', trade: 'Trades' } as const
const activitiesOf = (side: keyof typeof groups) => Object.entries(businessActivities).filter(([, activity]) => activity.side === side)

/** Every activity that fits; where there are several, one of them is the main one. */
export function ActivitiesField({ form, field }: Pick<BusinessForm, 'form' | 'field'>) {
  const chosen = useWatch({ control: form.control, name: 'activities' })
  const { error, ...box } = field('activities', { validate: (given) => given.length > 0 || 'Choose at least one activity' })
  const { id, control } = useFieldIds({ error })
  return (
    <div className="grid gap-5">
      <fieldset className="grid gap-3" aria-describedby={control['aria-describedby']} aria-invalid={control['aria-invalid']}>
        <legend className="mb-2 font-strong">What does your business do? Tick all that fits.</legend>
        {(['merchant', 'trade'] as const).map((side) => (
          <div key={side} role="group" aria-label={groups[side]} className="grid gap-2">
            <p className="text-12 text-muted" aria-hidden="true">
              {groups[side]}
            </p>
            <div className="grid grid-cols-2 gap-2 md:grid-cols-3">
              {activitiesOf(side).map(([activity, { label }]) => (
                <label
                  key={activity}
                  className="relative flex min-h-11 items-center gap-2 rounded-base border border-control bg-surface px-3 py-2 hover:border-muted has-checked:border-primary has-checked:bg-primary-soft has-checked:font-strong has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
                >
                  <input type="checkbox" value={activity} {...box} className="peer absolute inset-0 appearance-none outline-none" />
                  <span className="pointer-events-none min-w-0 flex-1 leading-tight">{label}</span>
                  <Check className="pointer-events-none hidden size-4 shrink-0 peer-checked:block" strokeWidth={3} aria-hidden="true" />
                </label>
              ))}
            </div>
          </div>
        ))}
        <FieldNotes id={id} error={error} />
      </fieldset>
      {chosen.length > 1 && (
        <SelectField label="Main activity" help="It stands in your profile." {...field('main')}>
          {chosen.map((activity) => (
            <option key={activity} value={activity}>
              {businessActivities[activity].label}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  )
}
