import { Check, Circle, Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

export function PasswordField({
  label,
  help,
  error,
  sharedError,
  className,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'type'>) {
  const { id, control } = useFieldIds({ help, error, sharedError })
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field {...{ id, label, help, error, className }}>
      <div className="relative">
        <input
          type={isShown ? 'text' : 'password'}
          className={`${controlLook} pr-12`}
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...control}
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-base text-muted hover:text-ink"
          aria-label={isShown ? 'Hide characters' : 'Show characters'}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon className="size-5" aria-hidden="true" />
        </button>
      </div>
    </Field>
  )
}

type Rule = { label: string; holds: (password: string) => boolean }

/** Live: each row says in words and with a mark whether it holds yet. */
export function PasswordChecklist({ rules, password }: { rules: readonly Rule[]; password: string }) {
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-1 text-14" aria-label="Your password needs">
      {rules.map(({ label, holds }) => {
        const isMet = holds(password)
        const Mark = isMet ? Check : Circle
        return (
          <li key={label} data-met={isMet} className={`flex items-center gap-2 ${isMet ? 'text-success' : 'text-muted'}`}>
            <Mark className={isMet ? 'size-4 shrink-0' : 'm-0.5 size-3 shrink-0'} strokeWidth={isMet ? 3 : 2} aria-hidden="true" />
            <span>
              {label}
              <span className="sr-only">{isMet ? ', done' : ', missing'}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
