import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AddressSuggestion } from '#contract/location.ts'
import { sentences } from '#contract/values/sentences.ts'
import { ApiError } from '#web/api/api-error.ts'
import { sayError } from '#web/api/notices.ts'
import { AddressByHand } from '#web/features/location/address-by-hand.tsx'
import { addressSearch, findAddress, oneLine } from '#web/features/location/queries.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Combobox } from '#web/ui/fields/combobox.tsx'

const RESTS_MS = 250

/** SPEC §5: UK addresses by postcode or premise, picked from the lookup. */
export function AddressField({ name, label, value, onChange, error }: AddressInput) {
  const [text, setText] = useState(value ? oneLine(value) : '')
  const [isByHand, setIsByHand] = useState(false)
  const [isPicking, setIsPicking] = useState(false)
  const [isPicked, setIsPicked] = useState(false)
  const [pickProblem, setPickProblem] = useState<string>()
  const rested = useDebounced(value ? '' : text.trim(), RESTS_MS)
  const search = useQuery(addressSearch(rested))

  const pick = async ({ label: picked, location }: AddressSuggestion) => {
    setText(picked)
    setIsPicking(true)
    try {
      const address = await findAddress(location)
      setText(oneLine(address))
      onChange(address)
      setIsPicked(true)
    } catch (problem) {
      if (problem instanceof ApiError && !problem.canRetry) setPickProblem(sentences.addressInvalid)
      else sayError(problem, () => void pick({ label: picked, location }))
    } finally {
      setIsPicking(false)
    }
  }
  const type = (next: string) => {
    setText(next)
    setPickProblem(undefined)
    if (value) onChange(null)
  }

  if (isByHand) return <AddressByHand {...{ name, label, value, onChange, error }} onSearch={() => setIsByHand(false)} />

  const found = rested && search.data ? search.data : []
  const isEmpty = search.isSuccess && rested !== '' && found.length === 0
  return (
    <div className="grid gap-1">
      <Combobox
        name={name}
        label={label}
        help="Start with the postcode, such as S9 2RX"
        error={error ?? pickProblem}
        autoComplete="off"
        text={text}
        onText={type}
        options={found.map((suggestion) => ({ ...suggestion, id: suggestion.location }))}
        onPick={pick}
        isLoading={isPicking || search.isFetching}
        announcement={announce(found.length, isEmpty, search.isError)}
        note={
          search.isError ? (
            <p>
              {search.error.message}{' '}
              <button type="button" className="link min-h-11 font-strong" onClick={() => void search.refetch()}>
                Try again
              </button>
            </p>
          ) : isEmpty ? (
            <p className="text-muted">No UK address found. Try the postcode alone, or enter the address by hand.</p>
          ) : undefined
        }
      />
      {value && isPicked && (
        <p role="status" className="flex items-start gap-2 text-success">
          <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> Address found
        </p>
      )}
      <button type="button" className="link min-h-11 justify-self-start" onClick={() => setIsByHand(true)}>
        Enter address by hand
      </button>
    </div>
  )
}

function announce(count: number, isEmpty: boolean, isError: boolean): string {
  if (isError) return 'The address search failed'
  if (isEmpty) return 'No address found'
  return count ? `${count} ${count === 1 ? 'address' : 'addresses'} found, use the arrow keys` : ''
}

/** The value, once it has rested for a while. */
function useDebounced<T>(value: T, restsMs: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restsMs)
    return () => clearTimeout(timer)
  }, [value, restsMs])
  return rested
}
