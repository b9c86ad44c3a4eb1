import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { NAME_MAX } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { ApiError } from '#web/api/api-error.ts'
import { sayError } from '#web/api/notices.ts'
import { locate } from '#web/features/location/queries.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

// as the search does: a postcode is looked up once its typing rests
const RESTS_MS = 250

type Parts = { address_line_1: string; address_line_2: string; town: string; post_code: string }
const isComplete = ({ address_line_1, town, post_code }: Parts) =>
  [address_line_1, town].every((part) => part.trim()) && post_code.replaceAll(' ', '').length >= LEAST_POST_CODE
const LEAST_POST_CODE = 5

type Props = AddressInput & { onSearch: () => void }

/** For the yard that the lookup does not know by name; its postcode puts it on the map. */
export function AddressByHand({ name, label, value, onChange, error, onSearch }: Props) {
  const [parts, setParts] = useState<Parts>({
    address_line_1: value?.address_line_1 ?? '',
    address_line_2: value?.address_line_2 ?? '',
    town: value?.town ?? '',
    post_code: value?.post_code ?? '',
  })
  const [isLocating, setIsLocating] = useState(false)
  const [problem, setProblem] = useState<string>()

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const newest = useRef(parts)

  const part = (key: keyof typeof parts) => ({
    value: parts[key],
    maxLength: NAME_MAX,
    onChange: (event: { target: { value: string } }) => {
      const next = { ...parts, [key]: event.target.value }
      newest.current = next
      setParts(next)
      setProblem(undefined)
      if (value) onChange(null)
      clearTimeout(timer.current)
      if (isComplete(next)) timer.current = setTimeout(() => void find(next), RESTS_MS)
    },
  })
  /** What was typed since then is looked up by itself. */
  const find = async (typed: Parts) => {
    setIsLocating(true)
    try {
      const address = await locate({ ...typed, address_line_2: typed.address_line_2 || null })
      if (newest.current === typed) onChange(address)
    } catch (failure) {
      if (newest.current !== typed) return
      if (failure instanceof ApiError && !failure.canRetry) setProblem(sentences.addressInvalid)
      else sayError(failure, () => void find(typed))
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
        <p role="status" className={`flex min-h-11 items-center gap-2 ${value ? 'text-success' : 'text-muted'}`}>
          {value ? (
            <>
              <CircleCheck className="size-4" aria-hidden="true" /> Address found
            </>
          ) : (
            isLocating && 'Looking for the postcode…'
          )}
        </p>
        <button type="button" className="link min-h-11" onClick={onSearch}>
          Search instead
        </button>
      </div>
    </fieldset>
  )
}
