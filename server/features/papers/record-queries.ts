import { sql, type RawBuilder } from 'kysely'
import type { RecordFilter, ScrapRecordItem } from '#contract/sales/papers.ts'
import { materials } from '#contract/values/materials.ts'
import { gbp } from '#domain/format.ts'
import type { ScrapRecord } from '#domain/papers/scrap-record.ts'
import type { Db } from '#server/db/db.ts'

export type RecordRow = ScrapRecord & { listing_id: string; user_id: string; micros: string }

/** Where a page ended: when the last record's goods changed hands, in microseconds, and which record it is. */
export type RecordPlace = { at: string; id: string }

const micros = sql`(extract(epoch from at) * 1000000)::bigint::text as micros`

/** Somebody's own records that a filter leaves, newest first. */
export async function findRecords(
  db: Db,
  userId: string,
  { filter, after, limit }: { filter: RecordFilter; after: RecordPlace | undefined; limit: number },
): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select *, ${micros}
    from scrap_records
    where user_id = ${userId}
      ${conditionsOf(filter)}
      ${after ? sql`and (at, id) < ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)` : sql``}
    order by at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function findRecord(db: Db, id: string): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`select *, ${micros} from scrap_records where id = ${id}`.execute(db)
  return rows[0]
}

function conditionsOf(filter: RecordFilter): RawBuilder<unknown> {
  const {
    'filter[from]': from,
    'filter[to]': to,
    'filter[kind]': kind,
    'filter[material_id]': material,
    'filter[counterparty]': name,
  } = filter
  return sql.join(
    [
      from ? sql`and at >= (${from}::date::timestamp at time zone 'Europe/London')` : sql``,
      to ? sql`and at < ((${to}::date + 1)::timestamp at time zone 'Europe/London')` : sql``,
      kind ? sql`and kind = ${kind}` : sql``,
      material ? sql`and material_id = ${material}` : sql``,
      name
        ? sql`and strpos(lower(concat_ws(' ', counterparty ->> 'company_name', counterparty ->> 'contact_name')), lower(${name})) > 0`
        : sql``,
    ],
    sql` `,
  )
}

export function presentRecord(record: RecordRow): ScrapRecordItem {
  const { group, name } = materials[record.material_id]
  const { company_name, contact_name, address } = record.counterparty
  return {
    id: record.id,
    listing_id: record.listing_id,
    kind: record.kind,
    cause: record.cause,
    at: record.at.toISOString(),
    counterparty: { company_name, contact_name, address },
    material: { id: record.material_id, name, group },
    title: record.title,
    grade: record.grade,
    condition: record.condition,
    ewc_code: record.ewc_code,
    marks: record.marks,
    vehicle: record.vehicle,
    weight_kg: record.weight_kg,
    weight_from: record.weight_from,
    price: gbp(record.price),
    paid_by: record.paid_by,
    paid_how: record.paid_how,
    payment_reference: record.payment_reference,
    kept_until: record.kept_until,
    completed_at: record.completed_at?.toISOString() ?? null,
    url: `/api/v1/records/${record.id}`,
  }
}
