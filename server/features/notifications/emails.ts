import { sql } from 'kysely'
import { notificationKinds, type NotificationKind } from '#contract/values/notification-kinds.ts'
import { kinds, wordsOf, type Digest, type NotificationFacts } from '#domain/notifications/kinds.ts'
import { isOver } from '#domain/notifications/timing.ts'
import type { Db } from '#server/db/db.ts'
import type { UnsubscribeTokens } from '#server/features/notifications/unsubscribe.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'
import { letter, type Letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

export type EmailDeps = { db: Db; mailer: Mailer; publicUrl: string; tokens: UnsubscribeTokens }

type Due = {
  id: string
  user_id: string
  kind: NotificationKind
  facts: NotificationFacts[NotificationKind]
  link: string
  read_at: Date | null
  email: string
  first_name: string
  now: Date
}

/** A notification by email. A job that runs again after the email went out sends it again under the same Message-ID. */
export async function sendNotificationEmail(deps: EmailDeps, id: string): Promise<void> {
  const { db, mailer } = deps
  const { rows } = await sql<Due>`
    select n.id, n.user_id, n.kind, n.facts, n.link, n.read_at, u.email, u.first_name, app_now() as now
    from notifications n
    join users u on u.id = n.user_id and u.erased_at is null
    where n.id = ${id} and n.email_due_at is not null and n.emailed_at is null`.execute(db)
  const due = rows[0]
  if (!due) return
  if (isWanted(due)) await mailer.send(letterOf(deps, due))
  else await cancelEmails(db, [id])
  await noteSent(db, [id])
}

/** Held over quiet hours, it may have been read, or speak of what has ended. */
const isWanted = ({ kind, facts, read_at, now }: Due) =>
  !isOver(facts, now) && (read_at === null || kinds[kind].locked?.includes('email') === true)

/** Everything that is due of a digest. This job alone takes it: another one that runs beside it finds nothing. */
export async function sendDigestEmail(deps: EmailDeps, userId: string, digest: Digest): Promise<void> {
  const { db, mailer } = deps
  const collected = notificationKinds.filter((kind) => kinds[kind].digest === digest)
  const { rows } = await sql<Due>`
    with taken as (
      update notifications
      set email_job = ${runningJobId()}::bigint
      where user_id = ${userId} and kind = any(${collected}) and email_due_at <= app_now() and emailed_at is null
        and (email_job is null or email_job = ${runningJobId()}::bigint)
      returning id, user_id, kind, facts, link, read_at, happened_at
    )
    select t.id, t.user_id, t.kind, t.facts, t.link, t.read_at, u.email, u.first_name, app_now() as now
    from taken t
    join users u on u.id = t.user_id and u.deleted_at is null and u.suspended_at is null
    order by t.happened_at desc, t.id`.execute(db)
  const wanted = rows.filter(isWanted)
  await cancelEmails(
    db,
    rows.filter((due) => !isWanted(due)).map(({ id }) => id),
  )
  const [first, ...more] = wanted
  if (!first) return
  await mailer.send(more.length === 0 ? letterOf(deps, first) : digestOf(deps, digest, wanted))
  await noteSent(
    db,
    wanted.map(({ id }) => id),
  )
}

function letterOf({ publicUrl, tokens }: EmailDeps, due: Due): ReturnType<typeof letter> {
  const { title, says, action } = wordsOf(due.kind, due.facts as never)
  return letter(due, title, { says, action: { label: action, url: `${publicUrl}${due.link}` }, ...endingOf({ publicUrl, tokens }, due) })
}

const digestTitles: Record<Digest, (count: number) => string> = {
  matches: (count) => `${count} new matches for you`,
  messages: (count) => `${count} new messages for you`,
}
const digestPages: Record<Digest, { label: string; path: string }> = {
  matches: { label: 'See them all', path: '/listings' },
  messages: { label: 'Open Yardbid', path: '/' },
}
const MOST_SHOWN = 20

function digestOf({ publicUrl, tokens }: EmailDeps, digest: Digest, due: readonly Due[]): ReturnType<typeof letter> {
  const [first] = due
  if (!first) throw new Error('a digest has something in it')
  const { label, path } = digestPages[digest]
  const left = due.length - MOST_SHOWN
  return letter(first, digestTitles[digest](due.length), {
    says: ['Since our last email:'],
    items: due.slice(0, MOST_SHOWN).map(({ kind, facts, link }) => {
      const { title, says } = wordsOf(kind, facts as never)
      return { title, text: says.at(-1) ?? '', url: `${publicUrl}${link}` }
    }),
    ...(left > 0 && { after: `And ${left} more.` }),
    action: { label, url: `${publicUrl}${path}` },
    ...endingOf({ publicUrl, tokens }, first),
  })
}

type Ending = Pick<Letter, 'ends' | 'settingsUrl' | 'unsubscribeUrl'>

/** Why somebody gets it, and how to get no more where that can be switched off. */
function endingOf({ publicUrl, tokens }: Pick<EmailDeps, 'publicUrl' | 'tokens'>, { user_id, kind }: Due): Ending {
  const { label, locked, isForAdmins } = kinds[kind]
  const settingsUrl = `${publicUrl}/account/notification-preferences`
  if (isForAdmins) return { ends: 'You get this as an administrator.', settingsUrl }
  if (locked?.includes('email'))
    return { ends: `You always get emails about “${label}”: they concern your money or your account.`, settingsUrl }
  return {
    ends: `You get this because emails about “${label}” are on.`,
    settingsUrl,
    unsubscribeUrl: `${publicUrl}/api/v1/unsubscribe/${tokens.tokenFor(user_id, kind)}`,
  }
}

async function noteSent(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update notifications set emailed_at = app_now()
    where id = any(${ids}::uuid[]) and emailed_at is null and email_due_at is not null`.execute(db)
}

/** Nothing is sent of these any more. */
async function cancelEmails(db: Db, ids: readonly string[]): Promise<void> {
  await sql`update notifications set email_due_at = null, email_job = null where id = any(${ids}::uuid[]) and emailed_at is null`.execute(
    db,
  )
}
