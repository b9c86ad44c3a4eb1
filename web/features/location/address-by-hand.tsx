import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { NAME_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { ApiError } from '#web/api/api-error.ts'
import { sayError } from '#web/api/notices.ts'
import { locate } from '#web/features/location/queries.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = AddressInput & { onSearch: () => void }

/** For the yard that the lookup does not know by name; its postcode puts it on the map. */
export function AddressByHand({ name, label, value, onChange, error, onSearch }: Props) {
  const [parts, setParts] = useState({
    address_line_1: value?.address_line_1 ?? '',
    address_line_2: value?.address_line_2 ?? '',
    town: value?.town ?? '',
    post_code: value?.post_code ?? '',
  })
  const [isLocating, setIsLocating] = useState(false)
  const [problem, setProblem] = useState<string>()

  const part = (key: keyof typeof parts) => ({
    value: parts[key],
    maxLength: NAME_MAX,
    onChange: (event: { target: { value: string } }) => {
      setParts({ ...parts, [key]: event.target.value })
      setProblem(undefined)
      if (value) onChange(null)
    },
  })
  const use = async () => {
    if (!parts.address_line_1.trim() || !parts.town.trim() || !parts.post_code.trim())
      return setProblem('Fill in the address, the town and the postcode')
    setIsLocating(true)
    try {
      onChange(await locate({ ...parts, address_line_2: parts.address_line_2 || null }))
    } catch (failure) {
      if (failure instanceof ApiError && !failure.canRetry) setProblem(sentences.addressInvalid)
      else sayError(failure, use)
    } finally {
      setIsLocating(false)
    }
  }

  return (
    <fieldset className="mb-2 grid gap-4 border-l-2 border-line pl-4">
      <legend className="mb-3 font-strong">{label}</legend>
      <TextField name={name} label="Address line 1" autoComplete="address-line1" error={problem ?? error} {...part('address_line_1')} />
      <TextField label="Address line 2 (optional)" autoComplete="address-line2" {...part('address_line_2')} />
      <div className="grid gap-4 md:grid-cols-[2fr_1fr]">
        <TextField label="Town" autoComplete="address-level2" {...part('town')} />
        <TextField label="Postcode" autoComplete="postal-code" autoCapitalize="characters" {...part('post_code')} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {value ? (
          <p role="status" className="flex min-h-11 items-center gap-2 text-success">
            <CircleCheck className="size-4" aria-hidden="true" /> Address found
          </p>
        ) : (
          <Button kind="plain" onClick={use} isLoading={isLocating}>
            Use this address
          </Button>
        )}
        <button type="button" className="link min-h-11" onClick={onSearch}>
          Search instead
        </button>
      </div>
    </fieldset>
  )
}
