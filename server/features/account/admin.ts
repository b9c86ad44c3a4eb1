import { now } from '#server/db/clock.ts'
import type { AuditTrail } from '#server/db/audit.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { findByEmail, updateUser } from '#server/features/account/queries.ts'
import { notFound, refuse } from '#server/http/errors.ts'
import { endSessionsOf, type SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

/** `by` is the admin's id; null for a command on the server. */
type ActInput = { reason: string; by: string | null }

type Act = {
  does: string
  /** The account is already as the act would leave it: a second click changes nothing. */
  isDone?: (user: SessionUser, input: ActInput) => boolean
  /** Why it cannot be done to the account as it is. */
  refusal?: (user: SessionUser, input: ActInput) => string | undefined
  run: (tx: Tx, user: SessionUser, input: ActInput) => Promise<unknown>
}

/** What an administrator can do to an account, by a call of the back office or a command on the server. Each act is audited. */
export const adminActs = {
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
    refusal: (user) => {
      if (user.suspended_at) return 'This account is suspended. Lift the suspension first.'
      if (!user.opened_at) return 'This account is not open yet. Open it first.'
      return whenDeleted(user)
    },
    run: (tx, user) => enqueue(tx, 'send_temporary_password', { user_id: user.id }),
  },
  open: {
    does: 'open the account of a collector that was checked',
    isDone: ({ opened_at }) => opened_at !== null,
    refusal: (user) => whenDeleted(user),
    run: async (tx, user) => {
      await updateUser(tx, user.id, { opened_at: now })
      await enqueue(tx, 'send_account_opened', { user_id: user.id })
    },
  },
  suspend: {
    does: 'end every session, refuse further logins and stop the open sales; give a reason',
    isDone: ({ suspended_at, suspension_reason }, { reason }) => suspended_at !== null && suspension_reason === reason,
    refusal: ({ id, suspended_at, suspension_reason }, { by }) => {
      if (id === by) return 'You cannot suspend your own account.'
      return suspended_at ? `This account is suspended already. The reason: ${suspension_reason ?? 'none'}` : undefined
    },
    run: async (tx, user, { reason, by }) => {
      await updateUser(tx, user.id, { suspended_at: now, suspension_reason: reason })
      await endSessionsOf(tx, user.id)
      await enqueue(tx, 'stop_sales_of_suspended', { user_id: user.id, by })
    },
  },
  unsuspend: {
    does: 'take a suspension back',
    isDone: ({ suspended_at }) => suspended_at === null,
    run: (tx, user) => updateUser(tx, user.id, { suspended_at: null, suspension_reason: null }),
  },
} satisfies Record<string, Act>

export type AdminAct = keyof typeof adminActs

const whenDeleted = ({ deleted_at }: SessionUser) =>
  deleted_at ? 'This account was deleted. Its owner can restore it by logging in.' : undefined

type ActRequest = ActInput & {
  act: AdminAct
  userId: string
  audit: AuditTrail
  /** In the transaction of the act. */
  remember?: (tx: Tx) => Promise<void>
}

/** Answers whether it changed anything. 404 without such a user, 409 in the wrong state. */
export const actOnUser = (db: Db, { act, userId, audit, remember, ...input }: ActRequest): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw notFound()
    if (user.erased_at) throw refuse('conflict', 'This account was erased.')
    const chosen: Act = adminActs[act]
    if (chosen.isDone?.(user, input)) return false
    const refusal = chosen.refusal?.(user, input)
    if (refusal) throw refuse('conflict', refusal)
    await chosen.run(tx, user, input)
    await remember?.(tx)
    await audit.write(tx, { act, about: user.id, reason: input.reason })
    return true
  })

export async function actAsAdmin(
  db: Db,
  { act, email, reason, audit }: { act: string; email: string; reason: string; audit: AuditTrail },
): Promise<string> {
  if (!isAct(act)) throw new Error(`'${act}' is not one of: ${Object.keys(adminActs).join(', ')}`)
  const user = await findByEmail(db, email)
  if (!user) throw new Error(`nobody has the email ${email}`)
  const isChanged = await actOnUser(db, { act, userId: user.id, reason, by: null, audit })
  return isChanged ? `${act}: done for ${user.email}` : `${act}: nothing to do for ${user.email}`
}

const isAct = (act: string): act is AdminAct => Object.hasOwn(adminActs, act)
