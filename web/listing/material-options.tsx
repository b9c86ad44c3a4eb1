import { materials } from '#contract/values/materials.ts'

const groups = Object.entries(Object.groupBy(Object.entries(materials), ([, { group }]) => group))

/** Every material under its group; a group of one needs no heading. */
export function MaterialOptions() {
  return groups.map(([group, members = []]) => {
    const options = members.map(([id, { name }]) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))
    return members.length === 1 ? (
      options
    ) : (
      <optgroup key={group} label={group}>
        {options}
      </optgroup>
    )
  })
}
