import { readFile } from 'node:fs/promises'
import type pg from 'pg'

export type Violation = { rule: string; rows: unknown[] }

/** Entries of the audit log, each with the hash that somebody kept outside the database: `412:9f86…`. */
export async function compareAudit(client: pg.ClientBase, kept: readonly string[]): Promise<Violation[]> {
  const broken: { kept: string; found: string | null }[] = []
  for (const place of kept) {
    const [, id, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(place) ?? []
    if (!id || !hash) throw new Error(`'${place}' is not an entry of the audit log and its hash, such as 412:9f86…`)
    const { rows } = await client.query<{ hash: string }>(`select encode(hash, 'hex') as hash from audit_entries where id = $1`, [id])
    if (rows[0]?.hash !== hash) broken.push({ kept: place, found: rows[0]?.hash ?? null })
  }
  return broken.length > 0 ? [{ rule: '28: audit: the entries whose hashes were kept elsewhere are there', rows: broken }] : []
}

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
