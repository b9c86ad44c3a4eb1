import { readFile } from 'node:fs/promises'
import type pg from 'pg'

export type Violation = { rule: string; rows: unknown[] }

/** Runs database/invariants.sql: what it answers is broken. */
export async function findViolations(client: pg.ClientBase): Promise<Violation[]> {
  const text = await readFile(new URL('invariants.sql', import.meta.url), 'utf8')
  const rules = text.split(/^-- /m).slice(2)
  const violations: Violation[] = []
  for (const block of rules) {
    const [rule = '', ...query] = block.split('\n')
    const { rows } = await client.query(query.join('\n'))
    if (rows.length > 0) violations.push({ rule, rows })
  }
  return violations
}
