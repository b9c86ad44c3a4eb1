import { useState, type ClipboardEvent, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'
import { readNumberText } from '#web/ui/fields/number-text.ts'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'className' | 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
    value: number | null
    onValue: (value: number | null) => void
    min: number
    max: number
    decimals: number
    unit?: ReactNode
  }

/** SPEC §5: takes numeric keys only and, on blur, rounds to the decimals allowed if the value is within min and max. Takes pasted money. */
export function NumberField({ value, onValue, min, max, decimals, unit, label, help, error, className, ...input }: Props) {
  const { id, control } = useFieldIds({ help, error })
  const [text, setText] = useState(value === null ? '' : value.toFixed(decimals))

  const read = (typed: string) => readNumberText(typed, { decimals, isSigned: min < 0 })
  const change = (typed: string) => {
    const next = read(typed)
    if (next === undefined) return
    setText(next)
    onValue(numberIn(next))
  }
  /** A number that makes none with what stands around it takes its place. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    const pasted = event.clipboardData.getData('text')
    const together = text.slice(0, selectionStart ?? 0) + pasted + text.slice(selectionEnd ?? text.length)
    if (read(together) !== undefined || read(pasted) === undefined) return
    event.preventDefault()
    change(pasted)
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
          onPaste={paste}
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

const numberIn = (text: string): number | null => (/\d/.test(text) ? Number(text) : null)
