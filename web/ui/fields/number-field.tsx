import { useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'className' | 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
    value: number | null
    onValue: (value: number | null) => void
    min: number
    max: number
    decimals: number
    unit?: ReactNode
  }

/** SPEC §5: takes numeric keys only and, on blur, rounds to the decimals allowed if the value is within min and max. */
export function NumberField({ value, onValue, min, max, decimals, unit, label, help, error, className, ...input }: Props) {
  const { id, control } = useFieldIds({ help, error })
  const [text, setText] = useState(value === null ? '' : value.toFixed(decimals))

  const change = (next: string) => {
    if (!looksNumeric(next, decimals, min)) return
    setText(next)
    onValue(numberIn(next))
  }
  const round = () => {
    const typed = numberIn(text)
    if (typed === null || typed < min || typed > max) return
    const rounded = Number(typed.toFixed(decimals))
    setText(rounded.toFixed(decimals))
    onValue(rounded)
  }

  return (
    <Field {...{ id, label, help, error, className }}>
      <div className="relative">
        <input
          type="text"
          inputMode={decimals > 0 ? 'decimal' : 'numeric'}
          autoComplete="off"
          className={`${controlLook} tabular text-20 ${unit ? 'pr-12' : ''}`}
          {...input}
          {...control}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={blockOtherKeys}
          onBlur={round}
        />
        {unit && <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-14 text-muted">{unit}</span>}
      </div>
    </Field>
  )
}

function blockOtherKeys(event: KeyboardEvent<HTMLInputElement>) {
  const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  if (isTyped && !/[\d.-]/.test(event.key)) event.preventDefault()
}

// what a paste brings is judged as well; more decimals than allowed may stand until the blur rounds them
const looksNumeric = (text: string, decimals: number, min: number) =>
  (min < 0 ? /^-?\d*\.?\d*$/ : /^\d*\.?\d*$/).test(text) && (decimals > 0 || !text.includes('.'))

const numberIn = (text: string): number | null => (/\d/.test(text) ? Number(text) : null)
