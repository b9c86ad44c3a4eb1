import type { FormEvent } from 'react'
import type { AuditSearch } from '#web/features/back-office/audit/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Props = { search: AuditSearch; onSearch: (search: AuditSearch) => void }

/** Applied together, when asked. */
export function AuditFilters({ search, onSearch }: Props) {
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, typeof value === 'string' ? value.trim() : ''] as const,
    )
    onSearch(Object.fromEntries(typed.filter(([, value]) => value !== '')))
  }
  return (
    <form onSubmit={apply} aria-label="Filter the audit log" className="grid grid-cols-2 items-end gap-3 lg:grid-cols-3">
      <TextField
        label="Who (email)"
        name="who"
        defaultValue={search.who}
        maxLength={200}
        autoComplete="off"
        className="max-lg:col-span-2"
      />
      <TextField
        label="About (email)"
        name="about"
        defaultValue={search.about}
        maxLength={200}
        autoComplete="off"
        className="max-lg:col-span-2"
      />
      <TextField
        label="What"
        name="what"
        placeholder="approve-document"
        defaultValue={search.what}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
      />
      <SelectField label="Kind" name="kind" defaultValue={search.kind}>
        <option value="">Both</option>
        <option value="act">Acts</option>
        <option value="look">Looks at data</option>
      </SelectField>
      <TextField label="From" type="date" name="from" defaultValue={search.from} />
      <TextField label="To" type="date" name="to" defaultValue={search.to} />
      <div className="col-span-full flex gap-3">
        <Button type="submit" kind="plain">
          Filter
        </Button>
        <Button kind="quiet" onClick={() => onSearch({})}>
          Clear
        </Button>
      </div>
    </form>
  )
}
