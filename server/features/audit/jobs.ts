import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db, DbOrTx } from '#server/db/db.ts'
import { readHead } from '#server/features/audit/queries.ts'
import { JOBS_CHANNEL, planHourly, type Jobs } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

// The newest hash is kept outside the database too: whoever cuts the end of the log, and mends what the database knows of it, cannot
// mend the server's log and the admins' mailboxes. `npm run check -- ENTRY:HASH` compares.

type JobDeps = { db: Db; mailer: Mailer; publicUrl: string; log: () => FastifyBaseLogger }

export function auditJobs({ db, mailer, publicUrl, log }: JobDeps): Pick<JobHandlers, 'log_audit_head' | 'send_audit_head'> {
  return {
    async log_audit_head() {
      await planHourly(db, 'log_audit_head', 1)
      const head = await readHead(db)
      if (head) log().info({ event: 'audit_head', entry: head.id, hash: head.hash }, 'the newest entry of the audit log')
    },

    async send_audit_head({ sent }) {
      const head = await readHead(db)
      if (head && head.id !== sent)
        for (const admin of await adminsOf(db))
          await mailer.send(
            letter(admin, 'Audit log: keep this line', {
              says: [
                'This is the newest entry of the audit log, with its hash. Keep this email: if entries are ever changed or removed, the line below proves it.',
                `${head.id}:${head.hash}`,
                'On the server, this command compares it: npm run check -- followed by the line.',
              ],
              action: { label: 'Open Yardbid', url: publicUrl },
              ends: 'You get this email on days after something was added to the audit log, because you are an administrator.',
            }),
          )
      await planAuditLetter(db, head?.id ?? sent)
    },
  }
}

const LETTER_HOUR = 5

/** Plans the next letter, for early tomorrow: `sent` is the entry that the last one named. However many processes do, there is one. */
export async function planAuditLetter(db: DbOrTx, sent?: string): Promise<void> {
  const payload: Jobs['send_audit_head'] = sent === undefined ? {} : { sent }
  await db
    .insertInto('jobs')
    .values({
      kind: 'send_audit_head',
      payload: JSON.stringify(payload),
      run_at: sql`date_trunc('day', app_now()) + make_interval(days => 1, hours => ${LETTER_HOUR})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}

const adminsOf = (db: Db) =>
  db
    .selectFrom('users')
    .select(['email', 'first_name'])
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('email')
    .execute()
