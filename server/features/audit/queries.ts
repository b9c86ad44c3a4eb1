import { sql, type RawBuilder } from 'kysely'
import type { AuditFilter, AuditItem } from '#contract/admin/audit.ts'
import type { AuditPlace } from '#server/db/audit.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { isUuid } from '#server/http/uuid.ts'

type AuditRow = {
  id: string
  at: Date
  actor_id: string | null
  actor: string
  actor_role: AuditItem['actor']['role']
  kind: AuditItem['kind']
  act: string
  subject_user_id: string | null
  subject_email: string | null
  reason: string | null
  details: Record<string, unknown>
  hash: string
}

/** Newest first, before an entry. Every filter has an index that ends in the id, so a page costs the same wherever it begins. */
export async function findEntries(
  db: DbOrTx,
  { filter, before, limit }: { filter: AuditFilter; before: string | undefined; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select e.id, e.at, e.actor_id, e.actor, e.actor_role, e.kind, e.act, e.subject_user_id, u.email as subject_email, e.reason, e.details,
           encode(e.hash, 'hex') as hash
    from audit_entries e
    left join users u on u.id = e.subject_user_id
    where ${sql.join(await conditions(db, filter, before), sql` and `)}
    order by e.id desc
    limit ${limit}`.execute(db)
  return rows
}

async function conditions(db: DbOrTx, filter: AuditFilter, before: string | undefined): Promise<RawBuilder<boolean>[]> {
  const { 'filter[who]': who, 'filter[about]': about, 'filter[what]': what, 'filter[kind]': kind } = filter
  const { 'filter[from]': from, 'filter[to]': to } = filter
  const all = [sql<boolean>`true`]
  if (before !== undefined) all.push(sql`e.id < ${before}::bigint`)
  if (who !== undefined) all.push(isUuid(who) ? sql`e.actor_id = ${who}::uuid` : sql`e.actor = ${who}`)
  if (about !== undefined) all.push(sql`e.subject_user_id = ${isUuid(about) ? about : await userIdOf(db, about)}::uuid`)
  if (what !== undefined) all.push(sql`e.act = ${what}`)
  // the word itself, not a parameter: only then the planner uses the index of acts alone
  if (kind !== undefined) all.push(kind === 'act' ? sql`e.kind = 'act'` : sql`e.kind = 'look'`)
  // times rise with the ids, so a span of time is looked up once and becomes a span of ids
  if (from !== undefined) all.push(sql`e.id >= coalesce(${firstIdFrom(from)}, 9223372036854775807)`)
  if (to !== undefined) all.push(sql`e.id < coalesce(${firstIdFrom(to)}, 9223372036854775807)`)
  return all
}

const firstIdFrom = (at: string) =>
  sql`(select first.id from audit_entries first where first.at >= ${at}::timestamptz order by first.at, first.id limit 1)`

async function userIdOf(db: DbOrTx, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from users where lower(normalize(email, nfkc)) = lower(normalize(${email}::text, nfkc))`.execute(db)
  return rows[0]?.id ?? null
}

export const presentEntry = (row: AuditRow): AuditItem => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor_id, name: row.actor, role: row.actor_role },
  kind: row.kind,
  act: row.act,
  subject: row.subject_user_id === null ? null : { id: row.subject_user_id, email: row.subject_email },
  reason: row.reason,
  details: row.details,
  hash: row.hash,
})

/** The newest entry; nothing while there is none. */
export async function readHead(db: DbOrTx): Promise<AuditPlace | undefined> {
  const { rows } = await sql<AuditPlace>`
    select entry_id as id, encode(hash, 'hex') as hash from audit_head where entry_id > 0`.execute(db)
  return rows[0]
}
