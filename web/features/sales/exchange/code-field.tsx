import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

type Props = FieldProps & { name: string; digits: number; value: string; onValue: (value: string) => void }

/** Large enough for gloves and sunlight. It is no code that was sent to this phone, so the phone must not offer one. */
export function CodeField({ label, help, error, name, digits, value, onValue }: Props) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <Field {...{ id, label, help, error }}>
      <input
        type="text"
        name={name}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        maxLength={digits * 2}
        placeholder={'0'.repeat(digits)}
        value={value}
        // read aloud or copied as '123 456' it is the same code
        onChange={(event) => onValue(event.target.value.replaceAll(/\D/g, '').slice(0, digits))}
        className={`${controlLook} tabular min-h-16 px-0 text-center text-40 tracking-[0.3em] placeholder:text-line`}
        {...control}
      />
    </Field>
  )
}
