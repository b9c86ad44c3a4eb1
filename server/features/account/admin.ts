import { now } from '#server/db/clock.ts'
import type { AuditTrail } from '#server/db/audit.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { findByEmail, updateUser } from '#server/features/account/queries.ts'
import { endSessionsOf, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

type Act = { does: string; run: (tx: Tx, user: SessionUser, reason: string) => Promise<unknown> }

/** What an administrator can do to an account, until the back office has screens for it. Each act is written down. */
export const adminActs: Record<string, Act> = {
  'make-admin': {
    does: 'give the account the whole back office',
    run: (tx, user) => updateUser(tx, user.id, { role: 'admin' }),
  },
  'make-support': {
    does: 'let the account see the back office, and change nothing there',
    run: (tx, user) => updateUser(tx, user.id, { role: 'support' }),
  },
  'end-role': {
    does: 'take the back office away and end every session',
    run: async (tx, user) => {
      await updateUser(tx, user.id, { role: null })
      await endSessionsOf(tx, user.id)
    },
  },
  'temporary-password': {
    does: 'e-mail a temporary password: works once, within 24 hours',
    run: (tx, user) => enqueue(tx, 'send_temporary_password', { user_id: user.id }),
  },
  open: {
    does: 'open the account of a collector that was checked',
    run: async (tx, user) => {
      if (user.opened_at) return
      await updateUser(tx, user.id, { opened_at: now })
      await enqueue(tx, 'send_account_opened', { user_id: user.id })
    },
  },
  suspend: {
    does: 'end every session and refuse further logins; give a reason',
    run: async (tx, user, reason) => {
      await updateUser(tx, user.id, { suspended_at: now, suspension_reason: reason })
      await endSessionsOf(tx, user.id)
    },
  },
  unsuspend: {
    does: 'take a suspension back',
    run: (tx, user) => updateUser(tx, user.id, { suspended_at: null, suspension_reason: null }),
  },
}

export async function actAsAdmin(
  db: Db,
  { act, email, reason, audit }: { act: string; email: string; reason: string; audit: AuditTrail },
): Promise<string> {
  const chosen = adminActs[act]
  if (!chosen) throw new Error(`'${act}' is not one of: ${Object.keys(adminActs).join(', ')}`)
  const user = await findByEmail(db, email)
  if (!user) throw new Error(`nobody has the email ${email}`)
  await db.transaction().execute(async (tx) => {
    await chosen.run(tx, user, reason)
    await audit.write(tx, { act, about: user.id, reason })
  })
  return `${act}: done for ${user.email}`
}
