import type { Yard } from '#tests/support/yard.ts'

export type Entry = {
  id: string
  actor: string
  actor_role: string
  kind: string
  act: string
  subject_user_id: string | null
  reason: string | null
  details: Record<string, unknown>
}

/** The entries after one, oldest first. */
export const entriesAfter = async (yard: Yard, id: string): Promise<Entry[]> =>
  (
    await yard.owner.query<Entry>(
      'select id, actor, actor_role, kind, act, subject_user_id, reason, details from audit_entries where id > $1 order by id',
      [id],
    )
  ).rows

export const lastEntry = async (yard: Yard): Promise<string> =>
  (await yard.owner.query<{ entry_id: string }>('select entry_id from audit_head')).rows[0]?.entry_id ?? '0'

/** What a piece of work leaves in the audit log. */
export async function entriesOf(yard: Yard, work: () => Promise<unknown>): Promise<Entry[]> {
  const before = await lastEntry(yard)
  await work()
  return entriesAfter(yard, before)
}
