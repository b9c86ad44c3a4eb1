import { listingStatuses } from '#contract/values/listing-status.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'
import type { Step } from '#domain/sales/listing-machine-step.ts'
import type { Yard } from '#tests/support/yard.ts'

/** How often each row of the table was taken, in its order. */
export type Coverage = { rows: Map<Step, number>; statuses: Map<string, number> }

export async function readCoverage({ owner }: Yard): Promise<Coverage> {
  const { rows } = await owner.query<{ step: string; from_status: string | null; to_status: string; actor: string; count: number }>(
    'select step, from_status, to_status, actor, count(*)::int from listing_events group by step, from_status, to_status, actor',
  )
  const coverage: Coverage = { rows: new Map(steps.map((step) => [step, 0])), statuses: new Map() }
  for (const { step: name, from_status, to_status, actor, count } of rows) {
    const row = steps.find(
      ({ name: own, from, by }) => own === name && from.some((each) => each === from_status) && by.some((each) => each === actor),
    )
    if (!row) throw new Error(`no row of the table lets ${actor} do ${name} in ${from_status}`)
    coverage.rows.set(row, (coverage.rows.get(row) ?? 0) + count)
    coverage.statuses.set(to_status, (coverage.statuses.get(to_status) ?? 0) + count)
  }
  return coverage
}

export const missingRows = ({ rows }: Coverage): string[] =>
  [...rows].flatMap(([{ name, from }, count]) => (count === 0 ? [`${name} (from ${from.length > 4 ? 'many' : from.join(', ')})`] : []))

export const missingStatuses = ({ statuses }: Coverage): string[] => Object.keys(listingStatuses).filter((status) => !statuses.has(status))

export const coverageTable = ({ rows }: Coverage): string =>
  [...rows]
    .map(([{ name, from, by }, count]) => {
      const where = from.length > 3 ? `${from.length} statuses` : from.map((status) => status ?? '–').join(', ')
      return `${String(count).padStart(7)}  ${name.padEnd(30)} ${by.join(' ').padEnd(14)} ${where}`
    })
    .join('\n')
