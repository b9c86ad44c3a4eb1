import type { FormEvent } from 'react'
import type { RecordFilter } from '#contract/sales/papers.ts'
import { MaterialOptions } from '#web/listing/material-options.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** Applied together, when asked: typing a name does not ask the server at every letter. */
export function RecordFilters({ onFilter }: { onFilter: (filter: RecordFilter) => void }) {
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
    onFilter(Object.fromEntries(given))
  }
  return (
    <form onSubmit={apply} onReset={() => onFilter({})} className="grid grid-cols-2 items-end gap-3">
      <TextField label="From" type="date" name="filter[from]" />
      <TextField label="To" type="date" name="filter[to]" />
      <SelectField label="Kind" name="filter[kind]">
        <option value="">Both</option>
        <option value="receipt">Received</option>
        <option value="disposal">Disposed of</option>
      </SelectField>
      <SelectField label="Material" name="filter[material_id]">
        <option value="">All</option>
        <MaterialOptions />
      </SelectField>
      <TextField label="Name of the other party" name="filter[counterparty]" maxLength={100} className="col-span-2" />
      <div className="col-span-2 flex gap-3">
        <Button type="submit" kind="plain">
          Filter
        </Button>
        <Button type="reset" kind="quiet">
          Clear
        </Button>
      </div>
    </form>
  )
}
