import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef, useState, type ComponentProps } from 'react'
import type { ListingSort } from '#contract/search.ts'
import type { MaterialId } from '#contract/values/materials.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import {
  countNarrowing,
  emptyFilter,
  endings,
  isPostCode,
  PRICE_MAX,
  radii,
  SEARCH_MAX,
  sorts,
  writeFilter,
  type Ending,
  type Filter,
} from '#web/features/search/filter.ts'
import { MaterialOptions } from '#web/listing/material-options.tsx'
import { Button } from '#web/ui/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

const TYPING_RESTS_MS = 300

const addressOf = (filter: Filter) => JSON.stringify(writeFilter(filter))

export function FilterBar({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { draft, version, change, replace } = useDraft(filter, onFilter)
  const [isOpen, setIsOpen] = useState(false)
  const isWide = useIsWide()
  const narrowing = countNarrowing(filter)

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
        placeholder="Copper, gearbox…"
        maxLength={SEARCH_MAX}
        className="min-w-0 flex-[1_1_13rem]"
        value={draft.search}
        onChange={(event) => change({ search: event.target.value }, TYPING_RESTS_MS)}
      />
      <Button kind="plain" className="mt-7 md:hidden" aria-expanded={isOpen} aria-controls="filters" onClick={() => setIsOpen(!isOpen)}>
        <SlidersHorizontal className="size-4" aria-hidden="true" />
        Filters{narrowing > 0 && ` (${narrowing})`}
      </Button>
      <div id="filters" className={`grid w-full grid-cols-2 gap-3 md:contents ${isOpen ? '' : 'max-md:hidden'}`}>
        <Choice
          label="Material"
          className="max-md:col-span-2 md:w-48"
          value={draft.material}
          onValue={(material) => change({ material: material as MaterialId | '' }, 0)}
        >
          <option value="">All materials</option>
          <MaterialOptions />
        </Choice>
        <Near key={`near ${version}`} draft={draft} change={change} />
        <Price key={`from ${version}`} label="Price from" value={draft.from} onValue={(from) => change({ from }, TYPING_RESTS_MS)} />
        <Price
          key={`to ${version}`}
          label="Price to"
          value={draft.to}
          error={draft.from !== null && draft.to !== null && draft.from > draft.to ? 'Less than the price from' : undefined}
          onValue={(to) => change({ to }, TYPING_RESTS_MS)}
        />
        <Choice
          label="Transfer"
          className="md:w-36"
          value={draft.transfer ?? ''}
          onValue={(chosen) => change({ transfer: Object.values(transferMethods).find((id) => String(id) === chosen) ?? null }, 0)}
        >
          <option value="">Either way</option>
          {Object.entries(transferMethods).map(([name, id]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label="Ending"
          className="md:w-40"
          value={draft.ending}
          options={{ '': 'Any time', ...endings }}
          onValue={(ending) => change({ ending: ending as Ending | '' }, 0)}
        />
        {!isWide && <SortBy filter={draft} onFilter={({ sort }) => change({ sort }, 0)} className="max-md:col-span-2 md:w-46" />}
        {narrowing > 0 && (
          <Button
            kind="quiet"
            className="max-md:col-span-2 md:-mx-4 md:-my-2 md:basis-full md:justify-start"
            onClick={() => replace({ ...emptyFilter, search: draft.search, sort: draft.sort })}
          >
            Clear filters
          </Button>
        )}
      </div>
    </form>
  )
}

/** Among the filters where there is little room, in the line of the heading where there is more. */
export function SortBy({ filter, onFilter, className }: { filter: Filter; onFilter: (filter: Filter) => void; className: string }) {
  return (
    <Choice
      label="Sort by"
      className={className}
      value={filter.sort}
      onValue={(sort) => onFilter({ ...filter, sort: sort as ListingSort })}
    >
      {Object.entries(sorts).map(([id, label]) => (
        <option key={id} value={id} disabled={id === 'nearest' && !filter.near}>
          {label}
        </option>
      ))}
    </Choice>
  )
}

type Change = (changes: Partial<Filter>, restsMs: number) => void

/** Half a post code finds nothing: it is sent when it is one. */
function Near({ draft, change }: { draft: Filter; change: Change }) {
  const [text, setText] = useState(draft.near)
  const [hasLeft, setHasLeft] = useState(false)
  const isFine = text === '' || isPostCode(text)
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
        error={hasLeft && !isFine ? 'A post code such as M1' : undefined}
        onBlur={() => setHasLeft(true)}
        onChange={({ target }) => {
          setText(target.value)
          const near = target.value.trim().toUpperCase()
          if (near === '' || isPostCode(near)) change({ near }, TYPING_RESTS_MS)
        }}
      />
      <Choice
        label="Within"
        className="md:w-32"
        value={draft.within}
        disabled={!draft.near}
        options={Object.fromEntries(radii.map((miles) => [miles, `${miles} miles`]))}
        onValue={(miles) => change({ within: Number(miles) }, 0)}
      />
    </>
  )
}

type PriceProps = { label: string; value: number | null; error?: string | undefined; onValue: (value: number | null) => void }

const Price = (props: PriceProps) => <NumberField unit="£" className="md:w-30" min={0} max={PRICE_MAX} decimals={2} {...props} />

type ChoiceProps = Omit<ComponentProps<typeof SelectField>, 'onChange'> & {
  options?: Record<string, string>
  onValue: (value: string) => void
}

const Choice = ({ options = {}, onValue, children, ...select }: ChoiceProps) => (
  <SelectField onChange={({ target }) => onValue(target.value)} {...select}>
    {children ??
      Object.entries(options).map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
  </SelectField>
)

/** What is in the fields: ahead of the address while somebody types, and following it when it changes by itself. */
function useDraft(filter: Filter, onFilter: (filter: Filter) => void) {
  const address = addressOf(filter)
  const [draft, setDraft] = useState(filter)
  const [seen, setSeen] = useState({ address, sent: address, version: 0 })
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; version: number }>(undefined)

  if (address !== seen.address) {
    const isOurs = address === seen.sent
    setSeen({ address, sent: address, version: seen.version + (isOurs ? 0 : 1) })
    if (!isOurs) setDraft(filter)
  }

  const change = (changes: Partial<Filter>, restsMs: number) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    clearTimeout(pending.current?.timer)
    const send = () => {
      setSeen((before) => ({ ...before, sent: addressOf(next) }))
      onFilter(next)
    }
    if (restsMs) pending.current = { timer: setTimeout(send, restsMs), version: seen.version }
    else send()
  }
  const replace = (next: Filter) => {
    clearTimeout(pending.current?.timer)
    onFilter(next)
  }
  // the address changed by itself, or the page is left: what was typed and not sent yet must not undo that
  useEffect(() => {
    if (pending.current && pending.current.version !== seen.version) clearTimeout(pending.current.timer)
  }, [seen.version])
  useEffect(() => () => clearTimeout(pending.current?.timer), [])
  return { draft, version: seen.version, change, replace }
}
