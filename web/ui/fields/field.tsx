import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'

export type FieldProps = {
  label: ReactNode
  help?: ReactNode
  error?: string | undefined
  /** The id of an error that is shown elsewhere and concerns this field too. */
  sharedError?: string | undefined
  className?: string | undefined
}

/** The ids that tie a control to its label, help and error. */
export function useFieldIds({ help, error, sharedError }: Pick<FieldProps, 'help' | 'error' | 'sharedError'>) {
  const id = useId()
  const describedBy = [help && `${id}-help`, error && `${id}-error`, sharedError].filter(Boolean).join(' ') || undefined
  return { id, control: { id, 'aria-describedby': describedBy, 'aria-invalid': error || sharedError ? true : undefined } as const }
}

export const controlLook =
  'block w-full min-h-11 rounded-base border border-control bg-surface px-3 text-16 text-ink placeholder:text-muted ' +
  'hover:border-muted focus-visible:border-primary focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:border-line disabled:bg-sunken disabled:text-muted'

/** Label above, help under, error under. */
export function Field({ id, label, help, error, className = '', children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={`grid content-start gap-2 ${className}`}>
      <label htmlFor={id} className="font-strong">
        {label}
      </label>
      {children}
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

export function FieldNotes({ id, help, error }: Pick<FieldProps, 'help' | 'error'> & { id: string }) {
  return (
    <>
      {help && (
        <p id={`${id}-help`} className="text-muted">
          {help}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </>
  )
}

/** The place stays in the page, so that an error which appears in it is announced. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p id={id} aria-live="polite" className="flex items-start gap-2 text-14 text-danger empty:hidden">
      {error && (
        <>
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span>{error}</span>
        </>
      )}
    </p>
  )
}
