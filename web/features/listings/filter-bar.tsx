import { SlidersHorizontal } from 'lucide-react'
import { useRef, useState } from 'react'
import type { MaterialId } from '#contract/materials.ts'
import { transferMethods } from '#contract/transfer-method.ts'
import {
  countNarrowing,
  emptyFilter,
  PRICE_MAX,
  SEARCH_MAX,
  sorts,
  writeFilter,
  type Filter,
  type Sort,
} from '#web/features/listings/filter.ts'
import { MaterialOptions } from '#web/features/listings/material-options.tsx'
import { Button } from '#web/ui/button.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

const TYPING_RESTS_MS = 300

const addressOf = (filter: Filter) => JSON.stringify(writeFilter(filter))

export function FilterBar({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { draft, version, change } = useDraft(filter, onFilter)
  const [isOpen, setIsOpen] = useState(false)
  const narrowing = countNarrowing(filter)
  const isWrongWayRound = draft.from !== null && draft.to !== null && draft.from > draft.to

  return (
    <form
      role="search"
      aria-label="Find listings"
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change({}, 0)
      }}
    >
      <TextField
        label="Search"
        type="search"
        enterKeyHint="search"
        placeholder="Copper cable, gearbox, radiators…"
        maxLength={SEARCH_MAX}
        className="min-w-0 flex-[1_1_14rem]"
        value={draft.search}
        onChange={(event) => change({ search: event.target.value }, TYPING_RESTS_MS)}
      />
      <Button kind="plain" className="mt-7 md:hidden" aria-expanded={isOpen} aria-controls="filters" onClick={() => setIsOpen(!isOpen)}>
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Filters{narrowing > 0 && ` (${narrowing})`}
      </Button>
      <div id="filters" className={`grid w-full grid-cols-2 gap-3 md:contents ${isOpen ? '' : 'max-md:hidden'}`}>
        <SelectField
          label="Material"
          className="max-md:col-span-2 md:w-48"
          value={draft.material}
          onChange={(event) => change({ material: event.target.value as MaterialId | '' }, 0)}
        >
          <option value="">All materials</option>
          <MaterialOptions />
        </SelectField>
        <NumberField
          key={`from ${version}`}
          label="Price from"
          unit="£"
          className="md:w-30"
          min={0}
          max={PRICE_MAX}
          decimals={2}
          value={draft.from}
          onValue={(from) => change({ from }, TYPING_RESTS_MS)}
        />
        <NumberField
          key={`to ${version}`}
          label="Price to"
          unit="£"
          className="md:w-30"
          min={0}
          max={PRICE_MAX}
          decimals={2}
          value={draft.to}
          error={isWrongWayRound ? 'Less than the price from' : undefined}
          onValue={(to) => change({ to }, TYPING_RESTS_MS)}
        />
        <SelectField
          label="Transfer"
          className="md:w-36"
          value={draft.transfer ?? ''}
          onChange={({ target }) =>
            change({ transfer: Object.values(transferMethods).find((id) => String(id) === target.value) ?? null }, 0)
          }
        >
          <option value="">Either way</option>
          {Object.entries(transferMethods).map(([name, id]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Sort by"
          className="md:w-46"
          value={draft.sort}
          onChange={(event) => change({ sort: event.target.value as Sort }, 0)}
        >
          {Object.entries(sorts).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        {narrowing > 0 && (
          <Button
            kind="quiet"
            className="max-md:col-span-2 md:mt-7"
            onClick={() => onFilter({ ...emptyFilter, search: filter.search, sort: filter.sort })}
          >
            Clear filters
          </Button>
        )}
      </div>
    </form>
  )
}

/** What is in the fields: ahead of the address while somebody types, and following it when it changes by itself. */
function useDraft(filter: Filter, onFilter: (filter: Filter) => void) {
  const address = addressOf(filter)
  const [draft, setDraft] = useState(filter)
  const [seen, setSeen] = useState({ address, sent: address, version: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  if (address !== seen.address) {
    const isOurs = address === seen.sent
    setSeen({ address, sent: address, version: seen.version + (isOurs ? 0 : 1) })
    if (!isOurs) setDraft(filter)
  }

  const change = (changes: Partial<Filter>, restsMs: number) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    clearTimeout(timer.current)
    const send = () => {
      setSeen((before) => ({ ...before, sent: addressOf(next) }))
      onFilter(next)
    }
    if (restsMs) timer.current = setTimeout(send, restsMs)
    else send()
  }
  return { draft, version: seen.version, change }
}
