import type { ComponentProps, ReactNode } from 'react'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'value'> & {
  label: ReactNode
  options: Readonly<Record<string, string>>
  /** Which one is chosen, where no form keeps it. */
  chosen?: string
  error?: string | undefined
  className?: string
}

/** A few choices side by side, as one bar. */
export function RadioGroup({ label, options, chosen, error, className = '', ...input }: Props) {
  const { id, control } = useFieldIds({ error })
  return (
    <fieldset
      role="radiogroup"
      className={`grid content-start gap-2 ${className}`}
      aria-describedby={control['aria-describedby']}
      aria-invalid={control['aria-invalid']}
    >
      <legend className="mb-2 font-strong">{label}</legend>
      <div className="flex rounded-base border border-control bg-surface">
        {Object.entries(options).map(([value, text]) => (
          <label
            key={value}
            className="relative grid min-h-11 flex-1 place-items-center border-l border-line px-2 text-center text-16 text-muted first:rounded-l-[5px] first:border-l-0 last:rounded-r-[5px] has-checked:bg-primary-soft has-checked:font-strong has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <input
              type="radio"
              className="absolute inset-0 appearance-none outline-none"
              value={value}
              {...input}
              {...(chosen !== undefined && { checked: chosen === value })}
            />
            <span className="pointer-events-none">{text}</span>
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  )
}
