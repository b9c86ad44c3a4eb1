import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { enquiryAges, type EnquiryAge } from '#contract/market/enquiry-values.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import {
  countNarrowing,
  emptyFilter,
  isPostCode,
  radii,
  SEARCH_MAX,
  WEIGHT_MAX,
  type MarketFilter,
} from '#web/features/market/data/filter.ts'
import { MaterialOptions } from '#web/listing/material-options.tsx'
import { Button } from '#web/ui/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

const TYPING_RESTS_MS = 300

type Props = {
  filter: MarketFilter
  onFilter: (filter: MarketFilter) => void
  /** Beside the words, such as the way to the map. */
  beside: ReactNode
}

/** What is typed rests for a moment before it goes into the address. */
export function FilterBar({ filter, onFilter, beside }: Props) {
  const [draft, setDraft] = useState(filter)
  const [version, setVersion] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const address = JSON.stringify(filter)
  const [seen, setSeen] = useState({ address, sent: address })
  // the address changed by another way than these fields: they follow it
  if (address !== seen.address) {
    setSeen({ address, sent: address })
    if (address !== seen.sent) {
      setDraft(filter)
      setVersion(version + 1)
    }
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const narrowing = countNarrowing(filter)

  const change = (changes: Partial<MarketFilter>, restsMs = 0) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    clearTimeout(timer.current)
    const send = () => {
      setSeen((before) => ({ ...before, sent: JSON.stringify({ ...next, search: next.search.trim() }) }))
      onFilter(next)
    }
    if (restsMs === 0) send()
    else timer.current = setTimeout(send, restsMs)
  }

  return (
    <form
      role="search"
      aria-label="Find enquiries"
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change({})
      }}
    >
      <TextField
        label="Search"
        type="search"
        enterKeyHint="search"
        placeholder="Cable, boiler…"
        maxLength={SEARCH_MAX}
        className="min-w-0 flex-[1_1_8rem]"
        value={draft.search}
        onChange={({ target }) => change({ search: target.value }, TYPING_RESTS_MS)}
      />
      <Button
        kind="plain"
        className="mt-7 md:hidden"
        aria-expanded={isOpen}
        aria-controls="market-filters"
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Filters{narrowing > 0 && ` (${narrowing})`}
      </Button>
      {beside}
      <div id="market-filters" className={`grid w-full grid-cols-2 gap-3 md:contents ${isOpen ? '' : 'max-md:hidden'}`}>
        <SelectField
          label="Material"
          className="max-md:col-span-2 md:w-44"
          value={draft.material}
          onChange={({ target }) => change({ material: target.value as MaterialId | '' })}
        >
          <option value="">All materials</option>
          <MaterialOptions />
        </SelectField>
        <Near key={`near ${version}`} draft={draft} change={change} />
        <NumberField
          key={`from ${version}`}
          label="Weight from"
          unit="kg"
          className="md:w-30"
          min={0}
          max={WEIGHT_MAX}
          decimals={0}
          value={draft.from}
          onValue={(from) => change({ from }, TYPING_RESTS_MS)}
        />
        <NumberField
          key={`to ${version}`}
          label="Weight to"
          unit="kg"
          className="md:w-30"
          min={0}
          max={WEIGHT_MAX}
          decimals={0}
          value={draft.to}
          error={draft.from !== null && draft.to !== null && draft.from > draft.to ? 'Less than the weight from' : undefined}
          onValue={(to) => change({ to }, TYPING_RESTS_MS)}
        />
        <SelectField
          label="Posted"
          className="max-md:col-span-2 md:w-40"
          value={draft.age}
          onChange={({ target }) => change({ age: target.value as EnquiryAge | '' })}
        >
          <option value="">Any time</option>
          {Object.entries(enquiryAges).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        {narrowing > 0 && (
          <Button
            kind="quiet"
            className="max-md:col-span-2 md:-mx-4 md:-my-2 md:basis-full md:justify-start"
            onClick={() => {
              setVersion(version + 1)
              change({ ...emptyFilter, search: draft.search })
            }}
          >
            Clear filters
          </Button>
        )}
      </div>
    </form>
  )
}

type NearProps = { draft: MarketFilter; change: (changes: Partial<MarketFilter>, restsMs?: number) => void }

/** Half a post code finds nothing: it is sent when it is one. */
function Near({ draft, change }: NearProps) {
  const [text, setText] = useState(draft.near)
  const [hasLeft, setHasLeft] = useState(false)
  return (
    <>
      <TextField
        label="Near"
        placeholder="M1 or M1 4BT"
        autoComplete="postal-code"
        autoCapitalize="characters"
        maxLength={8}
        className="md:w-32"
        value={text}
        error={hasLeft && text !== '' && !isPostCode(text) ? 'A post code such as M1' : undefined}
        onBlur={() => setHasLeft(true)}
        onChange={({ target }) => {
          setText(target.value)
          const near = target.value.trim().toUpperCase()
          if (near === '' || isPostCode(near)) change({ near }, TYPING_RESTS_MS)
        }}
      />
      <SelectField
        label="Within"
        className="md:w-32"
        value={draft.within}
        disabled={!draft.near}
        onChange={({ target }) => change({ within: Number(target.value) })}
      >
        {radii.map((miles) => (
          <option key={miles} value={miles}>
            {miles} miles
          </option>
        ))}
      </SelectField>
    </>
  )
}
