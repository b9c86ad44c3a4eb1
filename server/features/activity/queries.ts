import { sql, type RawBuilder } from 'kysely'
import type { PriceBasis } from '#domain/money.ts'
import type { DbOrTx } from '#server/db/db.ts'
import { activityTable, ownTable, PAYING } from '#server/features/activity/group-tables.ts'

/** Where a page ends. `asOf` is the clock of the first page: what ends while somebody turns pages keeps its place. */
export type Place = { asOf: string; rank: number; at: number; id: string }
type PageRequest = { group: string | undefined; after: Place | undefined; limit: number }
type ActivityPage = { counts: Record<string, number>; places: Place[] }

/** `canOffer` are those that the highest bidder may still be asked for. */
export const findOwn = (db: DbOrTx, userId: string, wanted: PageRequest & { canOffer: readonly string[] }): Promise<ActivityPage> =>
  findPage(
    db,
    sql`
      select l.id, l.status, l.expires_at, l.created_at, concat_ws(' ', l.status, ${holder}, (l.id = any(${wanted.canOffer}::uuid[]))::text) as key
      from listings l
      where l.seller_id = ${userId}::uuid`,
    ownTable,
    wanted,
  )

/** Whose highest bidder may be asked, for as long as a setting says: it counts working days, which SQL knows nothing of. */
export async function findUnmet(db: DbOrTx, userId: string, asOf: string | undefined) {
  const { rows } = await sql<{ id: string; expires_at: Date; now: Date }>`
    select id, expires_at, coalesce(${asOf ?? null}::timestamptz, app_now()) as now
    from listings
    where seller_id = ${userId}::uuid and status = 'Expired' and can_offer_at_reservation_price`.execute(db)
  return rows
}

/** What somebody both bid on and watches is there once, by the bid. */
export const findActivity = (db: DbOrTx, userId: string, wanted: PageRequest): Promise<ActivityPage> =>
  findPage(
    db,
    sql`
      select l.id, l.status, l.expires_at, l.created_at, concat_ws(' ', l.status, ${holder}, f.standing, ${paying}) as key
      from (
        select listing_id, status as standing
        from bid_standings
        where bidder_id = ${userId}::uuid
        union all
        select w.listing_id, 'watched'
        from watches w
        where w.user_id = ${userId}::uuid
          and not exists (select from bid_standings s where s.listing_id = w.listing_id and s.bidder_id = w.user_id)
      ) as f
      join listings l on l.id = f.listing_id and l.seller_id <> ${userId}::uuid`,
    activityTable,
    wanted,
  )

// looked up for the few that need it
const holder = sql`
  case when l.status = 'HasAdminIssue'
    then coalesce((select case a.status when 'offered' then 'offered' else 'buyer' end
                   from awards a
                   where a.listing_id = l.id and a.status in ('offered', 'pending_payment', 'paid')), 'nobody')
    else 'nobody'
  end`

const paying = sql`
  case when f.standing = 'Won' and l.status in ('PendingPayment', 'BalanceDue', 'DeferredPayment')
    and exists (select from sale_payments p join awards a on a.id = p.award_id
                where a.listing_id = l.id and a.status in ('pending_payment', 'paid') and p.status = 'processing')
    then ${sql.lit(PAYING)}
  end`

/**
 * What waits first, then what runs by its end, then what is over, the latest first: (rank, at, id) is that order, and where a page goes on.
 * Page and counts are of one instant.
 */
async function findPage(db: DbOrTx, mine: RawBuilder<unknown>, table: string, { group, after, limit }: PageRequest): Promise<ActivityPage> {
  const wanted = [
    ...(group === undefined ? [] : [group === 'waiting' ? sql`rank = 0` : sql`"group" = ${group}`]),
    ...(after ? [sql`(rank, at, id) > (${after.rank}::int, ${after.at}::float8, ${after.id}::uuid)`] : []),
  ]
  const { rows } = await sql<{ as_of: Date; counts: ActivityPage['counts']; page: [id: string, rank: number, at: number][] }>`
    with clock as materialized (
      select coalesce(${after?.asOf ?? null}::timestamptz, app_now()) as as_of
    ), mine as materialized (
      ${mine}
    ), placed as materialized (
      select id, "group", rank + is_over::int as rank,
             extract(epoch from coalesce(expires_at, created_at))::float8 * case when is_over then -1 else 1 end as at
      from mine
      join jsonb_to_recordset(${table}::jsonb) as g (key text, "group" text, rank int) using (key)
      cross join clock
      cross join lateral (select rank = 2 and not coalesce(status = 'Active' and expires_at > as_of, false) as is_over) as o
    ), page as (
      select id, rank, at
      from placed
      ${wanted.length > 0 ? sql`where ${sql.join(wanted, sql` and `)}` : sql``}
      order by rank, at, id
      limit ${limit}
    )
    select as_of,
           (select jsonb_object_agg("group", n) from (select "group", count(*) as n from placed group by "group") as c)
             || jsonb_build_object('waiting', (select count(*) from placed where rank = 0)) as counts,
           (select jsonb_agg(jsonb_build_array(id, rank, at) order by rank, at, id) from page) as page
    from clock`.execute(db)
  const [found] = rows
  if (!found) throw new Error('a clock has one row')
  const asOf = found.as_of.toISOString()
  return { counts: found.counts ?? {}, places: (found.page ?? []).map(([id, rank, at]) => ({ asOf, rank, at, id })) }
}

export type Trade = { side: 'sold' | 'bought'; price: number; price_basis: PriceBasis; weight_kg: number | null }

/** Since the month began in London: what was sold and bought, and still stands. */
export async function findTrades(db: DbOrTx, userId: string): Promise<{ since: Date; trades: Trade[] }> {
  const { rows } = await sql<{ since: Date; trades: Trade[] | null }>`
    with month as materialized (
      select date_trunc('month', app_now() at time zone 'Europe/London') at time zone 'Europe/London' as since
    ), mine as (
      select id as listing_id, 'sold' as side from listings where seller_id = ${userId}::uuid
      union all
      select listing_id, 'bought' from bid_standings where bidder_id = ${userId}::uuid and status = 'Won'
    )
    select since,
           (select jsonb_agg(jsonb_build_object('side', m.side, 'price', a.price, 'price_basis', l.price_basis, 'weight_kg', l.weight_kg))
            from mine m
            join awards a on a.listing_id = m.listing_id and a.status in ('pending_payment', 'paid') and a.created_at >= since
            join listings l on l.id = a.listing_id and l.status <> 'ReturnComplete') as trades
    from month`.execute(db)
  const [found] = rows
  if (!found) throw new Error('a month has one row')
  return { since: found.since, trades: found.trades ?? [] }
}
