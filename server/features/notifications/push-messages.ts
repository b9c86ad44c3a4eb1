import { sql } from 'kysely'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import { kinds, wordsOf, type NotificationFacts } from '#domain/notifications/kinds.ts'
import { isOver } from '#domain/notifications/timing.ts'
import type { Db } from '#server/db/db.ts'
import type { PushSender, PushTarget } from '#server/providers/push.ts'

type Due = {
  id: string
  user_id: string
  kind: NotificationKind
  facts: NotificationFacts[NotificationKind]
  link: string
  read_at: Date | null
  now: Date
}

// of words that a phone shows in three lines; a push service takes 4 kB in all
const MOST_TITLE = 200
const MOST_BODY = 500
const KEPT_FOR_SECONDS = 86_400

/** To every browser of the user. It is tried again only if none could be reached: a browser that has it replaces it by its tag. */
export async function sendPushMessage({ db, push }: { db: Db; push: PushSender }, id: string): Promise<void> {
  const { rows } = await sql<Due>`
    select n.id, n.user_id, n.kind, n.facts, n.link, n.read_at, app_now() as now
    from notifications n
    join users u on u.id = n.user_id and u.deleted_at is null and u.suspended_at is null
    where n.id = ${id} and n.push_due_at is not null and n.pushed_at is null`.execute(db)
  const due = rows[0]
  if (!due) return
  const { rows: browsers } = await sql<PushTarget & { id: string }>`
    select id, endpoint, p256dh, auth from push_subscriptions where user_id = ${due.user_id} order by created_at`.execute(db)
  if (due.read_at || isOver(due.facts, due.now) || browsers.length === 0) return cancelPush(db, id)

  const message = {
    text: textOf(due),
    topic: due.id.replaceAll('-', ''),
    isUrgent: kinds[due.kind].digest !== 'matches',
    keptForSeconds: KEPT_FOR_SECONDS,
  }
  const outcomes = await Promise.allSettled(browsers.map((browser) => push.send(browser, message)))
  const gone = browsers.filter((_, nth) => isOutcome(outcomes[nth], 'gone'))
  if (gone.length > 0)
    await db
      .deleteFrom('push_subscriptions')
      .where(
        'id',
        'in',
        gone.map((browser) => browser.id),
      )
      .execute()
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  const isSent = outcomes.some((outcome) => isOutcome(outcome, 'sent'))
  if (failure && !isSent) throw failure.reason
  if (isSent) await sql`update notifications set pushed_at = app_now() where id = ${id}`.execute(db)
  else await cancelPush(db, id)
}

const isOutcome = (outcome: PromiseSettledResult<unknown> | undefined, is: string) =>
  outcome?.status === 'fulfilled' && outcome.value === is

/** What the service worker shows; `tag` is the notification's id, so that the same one is shown once. */
function textOf({ id, kind, facts, link }: Due): string {
  const { title, says, action } = wordsOf(kind, facts as never)
  return JSON.stringify({ id, kind, title: title.slice(0, MOST_TITLE), body: says.join(' ').slice(0, MOST_BODY), link, action, tag: id })
}

async function cancelPush(db: Db, id: string): Promise<void> {
  await sql`update notifications set push_due_at = null where id = ${id} and pushed_at is null`.execute(db)
}
