import { sql, type RawBuilder } from 'kysely'
import { deskKinds, type DeskItem, type DeskKind } from '#contract/admin/desk.ts'
import { formatPence } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'

type QueueRow = { id: string; title: string; since: Date; reason: string | null; amount?: string | number; count: number }
type Queue = { kind: DeskKind; count: number; oldest: DeskItem[] }

const OLDEST_SHOWN = 5

// RULES §4: the clock shows a listing here after the third failure.
const SHOWN_AFTER_FAILURES = 3
// RULES §4: a payout that waits for the seller's account is shown after ten working days, which are two weeks.
const PAYOUT_SHOWN_AFTER = '14 days'

/** Each answers id, title, since and reason, and amount where the title is about money. */
const queues: Record<DeskKind, RawBuilder<unknown>> = {
  issue: sql`
    select l.id::text, l.title, l.entered_at as since,
           (select e.details ->> 'reason' from listing_events e where e.listing_id = l.id and e.to_status = 'HasAdminIssue' order by e.seq desc limit 1)
             as reason
    from listings l
    where l.status = 'HasAdminIssue'`,
  document: sql`
    select d.id::text, u.company_name as title, d.submitted_at as since, d.kind as reason
    from merchant_documents d
    join users u on u.id = d.user_id
    where d.status = 'pending' and u.erased_at is null`,
  collector: sql`
    select u.id::text, u.company_name as title, u.created_at as since, u.business_activity as reason
    from users u
    where u.opened_at is null and u.deleted_at is null and u.erased_at is null`,
  report: sql`
    select r.id::text, r.about_type || ' reported by ' || u.company_name as title, r.created_at as since, r.reason
    from reports r
    join users u on u.id = r.reporter_id`,
  set_aside: sql`
    select l.id::text, l.title, s.first_failed_at as since, s.last_error as reason
    from set_aside_listings s
    join listings l on l.id = s.listing_id
    where s.attempts >= ${sql.lit(SHOWN_AFTER_FAILURES)}`,
  failed_job: sql`
    select j.id::text, j.kind as title, j.failed_at as since, j.last_error as reason
    from jobs j
    where j.failed_at is not null`,
  unallocated: sql`
    select coalesce(u.id::text, 'unknown') as id, coalesce(u.company_name, 'Unknown') as title, min(t.at) as since, null as reason,
           -sum(e.amount) as amount
    from ledger_entries e
    join ledger_transactions t on t.id = e.transaction_id
    left join users u on u.id = e.user_id
    where e.account = 'unallocated'
    group by u.id
    having sum(e.amount) <> 0`,
  refund: sql`
    select r.id::text, u.company_name as title, r.created_at as since, coalesce(r.failure_reason, r.status) as reason, r.amount
    from refunds r
    join users u on u.id = r.user_id
    where r.status in ('waiting', 'failed', 'cancelled')`,
  payout: sql`
    select p.id::text, u.company_name as title, p.created_at as since, p.status as reason, p.amount
    from seller_payouts p
    join users u on u.id = p.seller_id
    where p.status = 'waiting' and p.created_at < app_now() - ${PAYOUT_SHOWN_AFTER}::interval`,
}

const links: Record<DeskKind, (id: string) => string> = {
  issue: (id) => `/admin/listings/${id}`,
  document: (id) => `/admin/documents/${id}`,
  collector: (id) => `/admin/users/${id}`,
  report: (id) => `/admin/reports/${id}`,
  set_aside: (id) => `/admin/listings/${id}`,
  failed_job: (id) => `/admin/jobs/${id}`,
  unallocated: (id) => `/admin/money/unallocated/${id}`,
  refund: (id) => `/admin/money/refunds/${id}`,
  payout: (id) => `/admin/money/payouts/${id}`,
}

export async function readDesk(db: Db): Promise<Queue[]> {
  const read: Queue[] = []
  for (const kind of deskKinds) {
    const { rows } = await sql<QueueRow>`
      select q.*, count(*) over ()::int as count
      from (${queues[kind]}) as q
      order by q.since, q.id
      limit ${OLDEST_SHOWN}`.execute(db)
    read.push({ kind, count: rows[0]?.count ?? 0, oldest: rows.map((row) => present(kind, row)) })
  }
  return read
}

const present = (kind: DeskKind, { id, title, since, reason, amount }: QueueRow): DeskItem => ({
  kind,
  id,
  title: amount === undefined ? title : `${formatPence(Number(amount))}, ${title}`,
  since: since.toISOString(),
  reason,
  link: links[kind](id),
})
