import { sql, type RawBuilder } from 'kysely'
import type { ListedUser, UserFilter } from '#contract/admin/users.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { isUuid } from '#server/http/uuid.ts'

type Dated = 'created_at' | 'opened_at' | 'suspended_at' | 'deleted_at'
export type ListedRow = Omit<ListedUser, Dated> & Record<Exclude<Dated, 'created_at'>, Date | null> & { created_at: Date; at: string }

/** Where a page ended: when the last user signed up, in microseconds, and which it is. */
export type Place = { at: string; id: string }

type Page = { filter: UserFilter; after: Place | undefined; limit: number }

/** Newest first. `isIncomplete`: more users match the search than are looked at. */
export async function findUsers(db: DbOrTx, { filter, after, limit }: Page): Promise<{ rows: ListedRow[]; isIncomplete: boolean }> {
  const conditions = conditionsOf(filter)
  const { 'filter[search]': search } = filter
  const found = search ? await findCandidates(db, search, conditions) : undefined
  if (found) conditions.push(sql`u.id = any(${found.ids}::uuid[])`)
  if (after)
    conditions.push(sql`(u.created_at, u.id) < ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)`)
  const { rows } = await sql<ListedRow>`
    select u.id, u.email, u.first_name, u.surname, u.company_name, u.business_type, u.business_activity, u.tier, u.role,
           u.created_at, u.opened_at, u.suspended_at, u.deleted_at, a.post_code,
           (extract(epoch from u.created_at) * 1000000)::bigint::text as at
    from users u
    left join addresses a on a.user_id = u.id and a.is_company_address
    where ${sql.join(conditions, sql` and `)}
    order by u.created_at desc, u.id desc
    limit ${limit}`.execute(db)
  return { rows, isIncomplete: found?.isIncomplete ?? false }
}

function conditionsOf({ 'filter[waiting]': waiting, 'filter[suspended]': suspended, 'filter[tier]': tier }: UserFilter) {
  const all: RawBuilder<unknown>[] = [sql`u.erased_at is null`]
  if (waiting) all.push(sql`u.opened_at is null and u.deleted_at is null`)
  if (suspended) all.push(sql`u.suspended_at is not null`)
  if (tier) all.push(sql`u.tier = ${tier}`)
  return all
}

// A search costs the same however many begin alike: who gets so many types another letter.
const MOST_BY_A_FIELD = 200

const begin = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`
const key = (column: RawBuilder<unknown>) => sql`lower(normalize(${column}, nfkc))`

// the expressions of the indices of 0035-back-office.sql
const fields = [sql`u.email`, sql`u.company_name`, sql`u.surname`, sql`u.first_name || ' ' || u.surname`].map(key)
const postCode = sql`lower(replace(a.post_code, ' ', ''))`

async function findCandidates(db: DbOrTx, search: string, conditions: readonly RawBuilder<unknown>[]) {
  if (isUuid(search)) return { ids: [search], isIncomplete: false }
  const where = sql.join(conditions, sql` and `)
  const limit = sql`limit ${MOST_BY_A_FIELD + 1}`
  const byField = fields.map(
    (field, nth) => sql`
      (select u.id, ${sql.lit(nth)} as field
       from users u
       where ${where} and ${field} like ${key(sql`${begin(search)}::text`)}
       order by ${field} using ~<~, u.id
       ${limit})`,
  )
  const byPostCode = sql`
    (select u.id, ${sql.lit(fields.length)} as field
     from addresses a
     join users u on u.id = a.user_id
     where ${where} and ${postCode} like lower(${begin(search.replaceAll(' ', ''))}::text)
     order by ${postCode} using ~<~, a.user_id
     ${limit})`
  const { rows } = await sql<{ id: string; field: number }>`
    ${sql.join([...byField, byPostCode], sql` union all `)}`.execute(db)
  const counts = Map.groupBy(rows, ({ field }) => field)
  return {
    ids: [...new Set(rows.map(({ id }) => id))],
    isIncomplete: [...counts.values()].some(({ length }) => length > MOST_BY_A_FIELD),
  }
}
