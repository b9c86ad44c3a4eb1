import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Option = { id: string; label: string }
type Props<O extends Option> = FieldProps &
  Pick<ComponentProps<'input'>, 'name' | 'placeholder' | 'autoComplete' | 'onBlur' | 'ref'> & {
    text: string
    onText: (text: string) => void
    options: readonly O[]
    onPick: (option: O) => void
    isLoading: boolean
    /** What to say in place of options: nothing found, failed. */
    note?: ReactNode
    /** Read out when the options change. */
    announcement: string
  }

/** The ARIA combobox with a list: arrows move, Enter picks, Escape closes, the focus stays in the field. */
export function Combobox<O extends Option>({
  text,
  onText,
  options,
  onPick,
  isLoading,
  note,
  announcement,
  label,
  help,
  error,
  className,
  ...input
}: Props<O>) {
  const { id, control } = useFieldIds({ help, error })
  const listId = useId()
  const [isWanted, setIsWanted] = useState(false)
  const [active, setActive] = useState(-1)
  const isOpen = isWanted && (options.length > 0 || Boolean(note))
  const activeId = isOpen && options[active] ? `${listId}-${active}` : undefined

  const pick = (option: O) => {
    setIsWanted(false)
    setActive(-1)
    onPick(option)
  }
  const move = (to: number) => {
    setIsWanted(true)
    const next = (to + options.length) % (options.length || 1)
    setActive(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active < 0 ? options.length - 1 : active - 1),
    ...(isOpen && options[active] && { Enter: () => pick(options[active] as O) }),
    ...(isOpen && { Escape: () => setIsWanted(false) }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <Field {...{ id, label, help, error, className }}>
      <div className="relative">
        <input
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={activeId}
          spellCheck={false}
          className={`${controlLook} pr-11`}
          {...input}
          {...control}
          value={text}
          onChange={(event) => {
            onText(event.target.value)
            setIsWanted(true)
            setActive(-1)
          }}
          onKeyDown={onKeyDown}
          onBlur={(event) => {
            setIsWanted(false)
            input.onBlur?.(event)
          }}
        />
        {isLoading && <Spinner className="absolute top-3.5 right-3.5 size-4 text-muted" />}
        <div
          hidden={!isOpen}
          // the field keeps the focus while the list is clicked
          onMouseDown={(event) => event.preventDefault()}
          // a note keeps its own place: what it advises stands under it and must stay in sight
          className={`mt-1 max-h-72 overflow-y-auto rounded-base border border-line bg-surface ${note ? '' : 'absolute inset-x-0 top-full z-20 shadow-lift'}`}
        >
          <ul id={listId} role="listbox" aria-label="Suggestions">
            {options.map((option, row) => (
              <li
                key={option.id}
                id={`${listId}-${row}`}
                role="option"
                aria-selected={row === active}
                className="flex min-h-11 items-center border-b border-line px-3 py-2 text-16 last:border-b-0 hover:bg-sunken aria-selected:bg-primary-soft aria-selected:text-primary"
                onClick={() => pick(option)}
              >
                {option.label}
              </li>
            ))}
          </ul>
          {note && <div className="px-3 py-3">{note}</div>}
        </div>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
    </Field>
  )
}
