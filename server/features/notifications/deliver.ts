import { sql } from 'kysely'
import { notificationKinds, type NotificationKind } from '#contract/values/notification-kinds.ts'
import { channelsOf, type ChosenChannels } from '#domain/notifications/channels.ts'
import { kinds, type Digest } from '#domain/notifications/kinds.ts'
import { emailDueAt, pushDueAt } from '#domain/notifications/timing.ts'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'
import { tellOfNotifications } from '#server/live/outbox.ts'

const AT_ONCE = 500

/** After the commit of what was told: places in the list, channels, and word to open pages. Running again does nothing more. */
export async function deliverNotifications(db: Db, userId: string | undefined): Promise<void> {
  while (await deliverBatch(db)) continue
  if (userId) await db.transaction().execute((tx) => tellOfNotifications(rowsOf(tx), [{ user_id: userId, since: null }]))
}

/** Answers whether there may be more. */
async function deliverBatch(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // one process at a time: another one's batch is finished then, and is not delivered twice
    await sql`select pg_advisory_xact_lock(7261028)`.execute(tx)
    await forgetErased(tx)
    const readers = await findReaders(tx)
    if (readers.length === 0) return false
    // places first: a reader who gives them holds the same lock, and then wants the rows
    await sql`select place_notifications(reader) from unnest(${readers}::uuid[]) as reader`.execute(tx)
    const waiting = await findWaiting(tx, readers)
    await writeDelivered(tx, plan(waiting))
    const { rows } = await sql<{ user_id: string; since: Date | null }>`
      select user_id, min(created_at) as since
      from notifications
      where id = any(${waiting.map(({ id }) => id)}::uuid[]) and created_at is not null
      group by user_id`.execute(tx)
    await tellOfNotifications(rowsOf(tx), rows)
    return true
  })
}

/** Told in a transaction that committed after its reader was erased: the erasure did not see it. */
const forgetErased = (tx: Tx) =>
  sql`delete from notifications n using users u where n.delivered_at is null and u.id = n.user_id and u.erased_at is not null`.execute(tx)

/** Sorted, so that nobody who locks several readers waits for another who does. */
async function findReaders(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id
    from (select user_id from notifications where delivered_at is null order by happened_at limit ${AT_ONCE}) as waiting
    order by user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

type Waiting = {
  id: string
  user_id: string
  kind: NotificationKind
  is_read: boolean
  chosen: ChosenChannels | null
  quiet_from: string | null
  quiet_to: string | null
  digest: boolean | null
  has_browser: boolean
  last_sent_at: Date | null
  next_due_at: Date | null
  now: Date
}

const digestOf = notificationKinds.flatMap((kind) => (kinds[kind].digest ? [{ kind, digest: kinds[kind].digest }] : []))

/** With what decides their channels: the reader's settings, and the digest that they would go into. */
async function findWaiting(tx: Tx, readers: readonly string[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    with clock as materialized (
      select app_now() as now
    ), digest_of as (
      select * from jsonb_to_recordset(${JSON.stringify(digestOf)}::jsonb) as d (kind text, digest text)
    ), waiting as materialized (
      select n.id, n.user_id, n.kind, n.read_at is not null as is_read, n.happened_at, d.digest as collected_in
      from notifications n
      left join digest_of d on d.kind = n.kind
      where n.delivered_at is null and n.user_id = any(${readers}::uuid[])
      for update of n
    ), digests as (
      -- once for each reader and digest
      select w.user_id, w.collected_in, max(p.emailed_at) as last_sent_at,
             min(p.email_due_at) filter (where p.emailed_at is null and p.email_job is null) as next_due_at
      from (select distinct user_id, collected_in from waiting where collected_in is not null) as w
      join digest_of d on d.digest = w.collected_in
      join notifications p on p.user_id = w.user_id and p.kind = d.kind and p.email_due_at is not null
      group by w.user_id, w.collected_in
    )
    select w.id, w.user_id, w.kind, w.is_read, s.kinds as chosen, to_char(s.quiet_from, 'HH24:MI') as quiet_from,
           to_char(s.quiet_to, 'HH24:MI') as quiet_to, s.digest,
           exists (select from push_subscriptions b where b.user_id = w.user_id) as has_browser,
           g.last_sent_at, g.next_due_at, clock.now
    from clock, waiting w
    left join notification_settings s on s.user_id = w.user_id
    left join digests g on g.user_id = w.user_id and g.collected_in = w.collected_in
    order by w.happened_at, w.id`.execute(tx)
  return rows
}

type Delivery = { id: string; user_id: string; email_due_at: Date | null; push_due_at: Date | null; digest: Digest | null }

function plan(waiting: readonly Waiting[]): Delivery[] {
  return waiting.map(({ id, user_id, kind, is_read, chosen, quiet_from, quiet_to, digest, has_browser, ...times }) => {
    const { email, push } = channelsOf(kind, chosen ?? {})
    const quietHours = quiet_from && quiet_to ? { from: quiet_from, to: quiet_to } : null
    const { now, last_sent_at, next_due_at } = times
    // whoever has read it already needs no push, and an email only where that is always sent
    const isMailed = email && (!is_read || kinds[kind].locked?.includes('email') === true)
    return {
      id,
      user_id,
      email_due_at: isMailed
        ? emailDueAt({ kind, now, quietHours, isDaily: digest === true, lastSentAt: last_sent_at, nextDueAt: next_due_at })
        : null,
      push_due_at: push && has_browser && !is_read ? pushDueAt(kind, now, quietHours) : null,
      digest: kinds[kind].digest ?? null,
    }
  })
}

/** Notes what is due, and queues it for its time: a job for each email and push message, one for each digest. */
async function writeDelivered(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await sql`
    with delivery as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
        as d (id uuid, user_id uuid, email_due_at timestamptz, push_due_at timestamptz, digest text)
    ), delivered as (
      update notifications n
      set delivered_at = app_now(), email_due_at = d.email_due_at, push_due_at = d.push_due_at
      from delivery d
      where n.id = d.id
    ), queued as (
      insert into jobs (kind, payload, run_at)
      select 'send_notification_email', jsonb_build_object('notification_id', id), email_due_at
      from delivery
      where email_due_at is not null and digest is null
      union all
      select distinct 'send_digest_email', jsonb_build_object('user_id', user_id, 'digest', digest), email_due_at
      from delivery
      where email_due_at is not null and digest is not null
      union all
      select 'send_push_message', jsonb_build_object('notification_id', id), push_due_at
      from delivery
      where push_due_at is not null
      returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from queued limit 1`.execute(tx)
}
