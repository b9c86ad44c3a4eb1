import { Controller, useWatch } from 'react-hook-form'
import type { useSell } from '#web/features/sell/use-sell.ts'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'

const WEIGHT_MAX_KG = 1_000_000
const PRICE_MAX = 1_000_000
const PRICE_MIN = 0.01

const bases = { tonne: 'By the tonne', lot: 'For the lot' }

export function PriceFields({ form, field, errorOf }: Pick<ReturnType<typeof useSell>, 'form' | 'field' | 'errorOf'>) {
  const basis = useWatch({ control: form.control, name: 'price_basis' })
  const unit = basis === 'tonne' ? '£ / t' : '£'
  return (
    <>
      <RadioGroup label="The price is" options={bases} {...field('price_basis', { deps: ['weight_kg'] })} />
      <Controller
        control={form.control}
        name="weight_kg"
        rules={{ validate: (weight, { price_basis }) => price_basis === 'lot' || weight !== null || 'A price by the tonne needs a weight' }}
        render={({ field: { name, value, onChange } }) => (
          <NumberField
            label={basis === 'tonne' ? 'Weight' : 'Weight (optional)'}
            help={basis === 'tonne' ? undefined : 'It helps buyers to judge the lot'}
            unit="kg"
            min={1}
            max={WEIGHT_MAX_KG}
            decimals={0}
            {...{ name, value }}
            onValue={onChange}
            error={errorOf('weight_kg')}
          />
        )}
      />
      <div className="grid gap-5 md:grid-cols-2 md:gap-4">
        <Controller
          control={form.control}
          name="start_price"
          rules={{ validate: (price) => price !== null || 'Start price is required' }}
          render={({ field: { name, value, onChange } }) => (
            <NumberField
              label="Start price"
              help="The first bid is at least this"
              min={PRICE_MIN}
              max={PRICE_MAX}
              decimals={2}
              {...{ name, value, unit }}
              onValue={onChange}
              error={errorOf('start_price')}
            />
          )}
        />
        <Controller
          control={form.control}
          name="reservation_price"
          render={({ field: { name, value, onChange } }) => (
            <NumberField
              label="Reservation price (optional)"
              help="Only you see it; below it nothing is sold"
              min={PRICE_MIN}
              max={PRICE_MAX}
              decimals={2}
              {...{ name, value, unit }}
              onValue={onChange}
              error={errorOf('reservation_price')}
            />
          )}
        />
      </div>
    </>
  )
}
