// A variable that is misspelt is one that is not set: DATABSE_URL opens a sandbox where a product was meant.

type Misspelt = { name: string; meant: string }

// shorter names are near too many others
const SHORTEST = 8
const MOST_EDITS = 2

/** Variables that are none of ours and near one that is, or the beginning of one. */
export function findMisspelt(given: readonly string[], ours: readonly string[]): Misspelt[] {
  return given
    .filter((name) => !ours.includes(name))
    .flatMap((name) => {
      const meant = ours.find((known) => isNear(name, known))
      return meant ? [{ name, meant }] : []
    })
}

function isNear(name: string, known: string): boolean {
  const isBeginning = name.includes('_') && known.startsWith(`${name}_`)
  const isLong = name.length >= SHORTEST && known.length >= SHORTEST
  return isBeginning || (isLong && editsBetween(name.toUpperCase(), known) <= MOST_EDITS)
}

/** Letters to add, drop or change to come from one to the other. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_EDITS) return MOST_EDITS + 1
  let row = Array.from({ length: other.length + 1 }, (_, nth) => nth)
  for (const [nth, letter] of [...one].entries()) {
    const next = [nth + 1]
    for (const [at, wanted] of [...other].entries())
      next.push(Math.min((row[at] ?? 0) + (letter === wanted ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    row = next
  }
  return row.at(-1) ?? 0
}
