import { sql, type RawBuilder } from 'kysely'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import { kinds, type NotificationFacts } from '#domain/notifications/kinds.ts'
import { rowsOf, type DbOrTx, type ReadRows } from '#server/db/db.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'

type About<K extends NotificationKind> = {
  kind: K
  /**
   * Names the event, such as `chat:<thread>:<seq>`: the same reader is told of it once, however often this runs. Reading a thread
   * reads all of its sources at once (`markSourceRead`).
   */
  source: string
  facts: NotificationFacts[K]
  listingId?: string | null
  /** The page that it opens: the listing's, if none is given. */
  link?: string
}

export type News = { [K in NotificationKind]: About<K> & { to: string | readonly string[] } }[NotificationKind]

/** In the transaction that makes it true: people are told exactly if that commits, by the channels that they chose. */
export const notify = (tx: DbOrTx, news: News): Promise<void> => notifyOn(rowsOf(tx), news)

/** The same on a connection whose transaction somebody else began. */
export const notifyOn = (rows: ReadRows, { to, ...about }: News): Promise<void> =>
  write(
    rows,
    about.kind,
    (typeof to === 'string' ? [to] : to).map((user_id) => ({ user_id, ...rowOf(about) })),
  )

/** Many readers, each with facts of their own: one statement for all of them. */
export const notifyEach = <K extends NotificationKind>(
  tx: DbOrTx,
  kind: K,
  each: readonly (Omit<About<K>, 'kind'> & { to: string })[],
): Promise<void> =>
  write(
    rowsOf(tx),
    kind,
    each.map(({ to, ...about }) => ({ user_id: to, ...rowOf(about) })),
  )

type Row = { user_id: string; source: string; facts: unknown; listing_id: string | null; link: string }

const rowOf = ({ source, facts, listingId = null, link }: Omit<About<NotificationKind>, 'kind'>): Omit<Row, 'user_id'> => ({
  source,
  facts,
  listing_id: listingId,
  link: link ?? (listingId ? `/listings/${listingId}` : '/'),
})

async function write(rows: ReadRows, kind: NotificationKind, readers: readonly Row[]): Promise<void> {
  if (readers.length === 0) return
  const { channels, locked = [] } = kinds[kind]
  // sorted: two transactions that tell the same people of the same event wait for each other, and never both
  await rows(
    `with told as (
       insert into notifications (user_id, kind, source, facts, link, listing_id, in_app)
       select r.user_id, $1, r.source, r.facts, r.link, r.listing_id,
              $3 or coalesce((s.kinds -> $1 ->> 'in_app')::boolean, $4)
       from jsonb_to_recordset($2::jsonb) as r (user_id uuid, source text, facts jsonb, listing_id uuid, link text)
       join users u on u.id = r.user_id and u.erased_at is null
       left join notification_settings s on s.user_id = r.user_id
       order by r.user_id, r.source
       on conflict (user_id, kind, source) do nothing
       returning user_id
     ), queued as (
       insert into jobs (kind, payload)
       select 'deliver_notifications', '{}' where exists (select from told)
       returning id
     )
     select pg_notify($5, '') from queued`,
    [kind, JSON.stringify(readers, wellFormed), locked.includes('in_app'), channels.in_app, JOBS_CHANNEL],
  )
}

// half a character, which JSON can spell and jsonb does not take
const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** Reading a thread or a conversation reads what was told of it: every notification of the user whose source begins with this. */
export const markSourceRead = (tx: DbOrTx, userId: string, sourcePrefix: string): Promise<void> =>
  markRead(tx, userId, sql`starts_with(source, ${sourcePrefix})`)

/** With the news for the user's other open pages. */
export async function markRead(tx: DbOrTx, userId: string, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    with read as (
      update notifications
      set read_at = app_now()
      where user_id = ${userId} and read_at is null and ${which}
      returning id
    ), queued as (
      insert into jobs (kind, payload)
      select 'deliver_notifications', jsonb_build_object('user_id', ${userId}::uuid) where exists (select from read)
      returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from queued`.execute(tx)
}
