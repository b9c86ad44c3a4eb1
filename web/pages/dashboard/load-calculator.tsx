import { useState } from 'react'
import { formatPence } from '#domain/format.ts'
import { penceOf, owed } from '#domain/money.ts'
import { useVatRate } from '#web/api/config.ts'
import { NumberField } from '#web/ui/fields/number-field.tsx'

const MAX_WEIGHT_T = 999.999
const KG_PER_TONNE = 1_000
const MAX_PRICE = 99_999.99

/** Weight × price per tonne, before anybody bids. */
export function LoadCalculator() {
  const [tonnes, setTonnes] = useState<number | null>(null)
  const [price, setPrice] = useState<number | null>(null)
  const vatRate = useVatRate()
  const isKnown = tonnes !== null && price !== null && tonnes <= MAX_WEIGHT_T && price <= MAX_PRICE
  const value = isKnown
    ? owed(penceOf(price), { basis: 'tonne', weight_kg: Math.round(tonnes * KG_PER_TONNE), vatRate, isVatRegistered: true })
    : null

  return (
    <section
      aria-labelledby="load-calculator"
      className="grid content-start gap-4 self-start rounded-base border border-line bg-surface p-4 md:p-6"
    >
      <div className="grid gap-1">
        <h2 id="load-calculator" className="tabular text-20">
          What a load comes to
        </h2>
        <p className="text-muted">Weight times price per tonne, with VAT at {vatRate}%.</p>
      </div>
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          label="Weight"
          unit="t"
          min={0}
          max={MAX_WEIGHT_T}
          decimals={3}
          value={tonnes}
          onValue={setTonnes}
          error={tooMuch(tonnes, MAX_WEIGHT_T, 't')}
        />
        <NumberField
          label="Price"
          unit="£ / t"
          min={0}
          max={MAX_PRICE}
          decimals={2}
          value={price}
          onValue={setPrice}
          error={tooMuch(price, MAX_PRICE, '£ / t')}
        />
      </div>
      <dl className="grid gap-1" aria-live="polite">
        <Row name="Goods" pence={value?.goods} figure="text-20" />
        <Row name="VAT" pence={value?.vat} figure="text-20" />
        <Row name="Total" pence={value?.total} figure="text-28" look="mt-1 border-t border-line pt-2 font-strong" />
      </dl>
    </section>
  )
}

function Row({ name, pence, figure, look = 'text-muted' }: { name: string; pence: number | undefined; figure: string; look?: string }) {
  return (
    <div className={`flex items-baseline justify-between gap-4 ${look}`}>
      <dt>{name}</dt>
      <dd className={`tabular ${figure} ${pence === undefined ? 'text-muted' : 'text-ink'}`}>
        {pence === undefined ? '–' : formatPence(pence)}
      </dd>
    </div>
  )
}

const tooMuch = (value: number | null, max: number, unit: string) =>
  value !== null && value > max ? `At most ${max.toLocaleString('en-GB')} ${unit}` : undefined
