import { rowsOf, type DbOrTx, type ReadRows } from '#server/db/db.ts'

// What admins and support do and look at. The database chains the entries and lets nobody change them (0033-audit.sql).

/** Who acts: somebody with a role, or a command on the server. */
export type AuditActor = { id: string } | { command: string }

export type AuditEntry = {
  kind: 'act' | 'look'
  act: string
  /** The user whom it is about. */
  about?: string | null | undefined
  reason?: string | null | undefined
  details?: object | undefined
}

/** Where a feature writes down what was done, whoever does it. */
export type AuditTrail = { write(tx: DbOrTx, entry: Omit<AuditEntry, 'kind'>): Promise<void> }

/** `command` says which, and who ran it. */
export const commandTrail = (command: string): AuditTrail => ({
  async write(tx, entry) {
    await writeAudit(rowsOf(tx), { command }, { kind: 'act', ...entry })
  },
})

/** An entry's place in the chain. Kept outside the table, it shows when the chain was cut before it. */
export type AuditPlace = { id: string; hash: string }

/**
 * Writes an entry, in the transaction of an act. Last in it: the chain is locked until the commit, and whoever waits for a row
 * meanwhile holds up everybody else's entries, or deadlocks with one of them.
 */
export async function writeAudit(
  rows: ReadRows,
  by: AuditActor,
  { kind, act, about, reason, details = {} }: AuditEntry,
): Promise<AuditPlace> {
  const [place] = await rows<AuditPlace>(
    `insert into audit_entries (actor_id, actor, actor_role, kind, act, subject_user_id, reason, details)
     ${'id' in by ? 'select u.id, u.email, u.role, $2, $3, $4, $5, $6 from users u where u.id = $1' : `values (null, $1, 'command', $2, $3, $4, $5, $6)`}
     returning id, encode(hash, 'hex') as hash`,
    ['id' in by ? by.id : by.command, kind, act, about ?? null, reason || null, JSON.stringify(details, storable)],
  )
  if (!place) throw new Error('nobody acts')
  return place
}

// JSON in the database takes neither a zero byte nor half of a surrogate pair
const storable = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value)

/** Somebody with a role looks at what is another's, in a call that is not the back office's own. */
export const auditLook = (db: DbOrTx, { id }: { id: string }, look: Omit<AuditEntry, 'kind'>): Promise<AuditPlace> =>
  writeAudit(rowsOf(db), { id }, { kind: 'look', ...look })
