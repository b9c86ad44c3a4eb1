import { sql } from 'kysely'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import type { NotificationFacts } from '#domain/notifications/kinds.ts'
import type { Db, DbOrTx } from '#server/db/db.ts'

/** As JSON has it: times are text where they come from `poll_notifications`. */
export type NotificationRow = {
  id: string
  kind: NotificationKind
  facts: NotificationFacts[NotificationKind]
  link: string
  listing_id: string | null
  read_at: Date | string | null
  created_at: Date | string
}

export type NotificationList = { rows: NotificationRow[]; total: number; unread: number; until: number; newestAt: Date | null; now: Date }

type Page = { page: number; perPage: number }

/** What arrived since a moment, newest first: one call, and no write while nothing waits for its place. */
export async function pollNotifications(db: Db, userId: string, since: string, { page, perPage }: Page): Promise<NotificationList> {
  const { rows } = await sql<{
    now: Date
    unread: number
    total: number
    newest_at: Date | null
    found: (NotificationRow & { seq: number })[]
  }>`
    select now, unread, total, newest_at, found
    from poll_notifications(${userId}, ${since}, ${(page - 1) * perPage}, ${perPage})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a poll answers one row')
  return { rows: row.found, total: row.total, unread: row.unread, until: row.found[0]?.seq ?? 0, newestAt: row.newest_at, now: row.now }
}

type Cut = Page & { until: number | undefined; tokenHash: Buffer }

/**
 * A page of the list up to a cut-off. Page 1 sets it for the session, so that whoever asks for the next page without naming the cut-off
 * still sees no notification twice when new ones arrive between.
 */
export async function listNotifications(db: Db, userId: string, { page, perPage, until, tokenHash }: Cut): Promise<NotificationList> {
  const { rows: settled } = await sql<{ now: Date }>`select settle_notifications(${userId}) as now`.execute(db)
  const cut = until ?? (page === 1 ? await newestSeq(db, userId) : await sessionCut(db, userId, tokenHash))
  if (page === 1 && until === undefined) await keepCut(db, tokenHash, cut)
  const { rows } = await sql<NotificationRow>`
    select id, kind, facts, link, listing_id, read_at, created_at
    from notifications
    where user_id = ${userId} and seq <= ${cut}
    order by seq desc
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  const { rows: counts } = await sql<{ total: number; unread: number; newest_at: Date | null }>`
    select (select count(*)::int from notifications where user_id = ${userId} and seq <= ${cut}) as total,
           count_unread(${userId}) as unread,
           (select created_at from notifications where user_id = ${userId} and seq is not null order by seq desc limit 1) as newest_at`.execute(
    db,
  )
  return {
    rows,
    total: counts[0]?.total ?? 0,
    unread: counts[0]?.unread ?? 0,
    until: cut,
    newestAt: counts[0]?.newest_at ?? null,
    now: settled[0]?.now ?? new Date(NaN),
  }
}

async function newestSeq(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from notifications where user_id = ${userId} and seq is not null`.execute(db)
  return rows[0]?.seq ?? 0
}

async function sessionCut(db: Db, userId: string, tokenHash: Buffer): Promise<number> {
  const { rows } = await sql<{ cut: number | null }>`
    select notifications_until as cut from sessions where token_hash = ${tokenHash}`.execute(db)
  return rows[0]?.cut ?? (await newestSeq(db, userId))
}

const keepCut = (db: Db, tokenHash: Buffer, cut: number) =>
  sql`
    update sessions set notifications_until = ${cut}
    where token_hash = ${tokenHash} and notifications_until is distinct from ${cut}`.execute(db)

export async function findNotification(db: DbOrTx, userId: string, id: string): Promise<NotificationRow | undefined> {
  const { rows } = await sql<NotificationRow>`
    select id, kind, facts, link, listing_id, read_at, coalesce(created_at, happened_at) as created_at
    from notifications
    where id = ${id} and user_id = ${userId} and in_app`.execute(db)
  return rows[0]
}

export async function countUnread(db: DbOrTx, userId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select count_unread(${userId}) as unread`.execute(db)
  return rows[0]?.unread ?? 0
}
