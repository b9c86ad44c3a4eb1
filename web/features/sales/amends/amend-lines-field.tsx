import { useState, type ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { amendedAmounts, type AmendedSale, type AmendLine } from '#domain/sales/amend.ts'
import { draftOf, isComplete, linesOf, type Draft } from '#web/features/sales/amends/amend-draft.ts'
import { BeforeAndAfter, beforeOf } from '#web/features/sales/amends/before-and-after.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { FieldError } from '#web/ui/fields/field.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = {
  name: string
  listing: Listing
  sale: Omit<AmendedSale, 'lines'>
  error: string | undefined
  /** To begin with. */
  lines: readonly AmendLine[]
  onLines: (lines: AmendLine[]) => void
}

const LARGEST_POUNDS = 999_999.99

/** What was found, line by line, and what it makes of the price while it is typed. */
export function AmendLinesField({ name, listing, sale, error, lines: given, onLines }: Props) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(given, listing))
  const lines = linesOf(draft, listing)
  const answer = amendedAmounts({ ...sale, lines })
  const change = (next: Draft) => {
    setDraft(next)
    onLines(linesOf(next, listing))
  }
  const { weight, contamination, grade } = draft
  return (
    <fieldset name={name} aria-describedby={error && `${name}-error`} className="grid gap-4">
      <legend className="mb-2 font-strong">What you found</legend>
      {sale.weight_kg !== null && (
        <Line
          label="Another weight"
          isOn={weight.isOn}
          listed={`${sale.weight_kg.toLocaleString('en-GB')} kg listed`}
          onToggle={(isOn) => change({ ...draft, weight: { ...weight, isOn } })}
        >
          <NumberField
            label="Weight found"
            unit="kg"
            min={1}
            max={9_999_999}
            decimals={0}
            value={weight.found}
            onValue={(found) => change({ ...draft, weight: { ...weight, found } })}
          />
        </Line>
      )}
      <Line
        label="Contamination"
        isOn={contamination.isOn}
        listed="none listed"
        onToggle={(isOn) => change({ ...draft, contamination: { ...contamination, isOn } })}
      >
        <NumberField
          label="Part that is not the material"
          unit="%"
          min={0}
          max={99.99}
          decimals={2}
          value={contamination.found}
          onValue={(found) => change({ ...draft, contamination: { ...contamination, found } })}
        />
      </Line>
      <Line
        label="Another grade"
        isOn={grade.isOn}
        listed={sale.grade ? `${sale.grade} listed` : 'no grade listed'}
        onToggle={(isOn) => change({ ...draft, grade: { ...grade, isOn } })}
      >
        <TextField
          label="Grade found"
          maxLength={100}
          value={grade.found}
          onChange={({ target }) => change({ ...draft, grade: { ...grade, found: target.value } })}
        />
        <RadioGroup
          label="What it does to the price of the goods"
          name={`${name}-direction`}
          options={{ less: 'Lowers it', more: 'Raises it' }}
          chosen={grade.direction}
          onChange={({ target }) => change({ ...draft, grade: { ...grade, direction: target.value === 'more' ? 'more' : 'less' } })}
        />
        <NumberField
          label="By how much, without VAT"
          unit="£"
          min={0}
          max={LARGEST_POUNDS}
          decimals={2}
          value={grade.effect}
          onValue={(effect) => change({ ...draft, grade: { ...grade, effect } })}
        />
      </Line>
      <FieldError id={`${name}-error`} error={error} />
      <div aria-live="polite">
        {'error' in answer ? (
          lines.length > 0 && isComplete(draft) && !error && <p className="text-muted">{answer.error}.</p>
        ) : (
          <BeforeAndAfter before={beforeOf(listing, answer)} after={answer} party="buyer" />
        )}
      </div>
    </fieldset>
  )
}

type LineProps = { label: string; listed: string; isOn: boolean; onToggle: (isOn: boolean) => void; children: ReactNode }

function Line({ label, listed, isOn, onToggle, children }: LineProps) {
  return (
    <div className={`rounded-base border px-4 ${isOn ? 'border-control pb-4' : 'border-line'}`}>
      <Checkbox
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
        label={
          <>
            {label} <span className="text-muted">· {listed}</span>
          </>
        }
      />
      {isOn && <div className="mt-2 grid gap-4">{children}</div>}
    </div>
  )
}
