import { sql } from 'kysely'
import type pg from 'pg'
import type { MoneyFacts } from '#domain/notifications/money-words.ts'
import type { SubscriptionNews } from '#domain/notifications/subscription-words.ts'
import type { Digest } from '#domain/notifications/kinds.ts'
import type { DbOrTx } from '#server/db/db.ts'

/** Every kind of job and what it carries. No secret belongs here: a job makes its token or password when it runs. */
export type Jobs = {
  send_verification: { user_id: string }
  send_password_reset: { user_id: string }
  send_temporary_password: { user_id: string }
  send_email_change: { user_id: string }
  /** `can_undo`: the old address was confirmed when the change was asked for. */
  send_email_changing: { user_id: string; old_email: string; new_email: string; can_undo: boolean }
  send_account_opened: { user_id: string }
  /** Raises an issue on the open sales and running listings of a suspended user; `by` is the admin, null for a command. */
  stop_sales_of_suspended: { user_id: string; by: string | null }
  send_second_factor_changed: { user_id: string; enabled: boolean }
  send_account_deleted: { user_id: string; restore_until: string }
  erase_account: { user_id: string }
  /** Asks the VAT register for the number that the user has now. */
  check_vat_number: { user_id: string }
  /** Finds out whom a step of a listing concerns, and tells each. */
  tell_of_step: { event_id: string }
  /** Rows whose time is over. */
  forget_passed: Record<string, never>
  /** Uploads that were never finished or never used. */
  forget_uploads: Record<string, never>
  /** Goes on after a key of the store; without one it begins. */
  sweep_storage: { after?: string }
  match_saved_searches: { listing_id: string }
  /** Tells members whose material preferences match. */
  match_preferences: { listing_id: string }
  match_enquiry: { enquiry_id: string }
  end_enquiry: { enquiry_id: string }
  /** `ends_at` is the end that the reminder was planned for: an enquiry that was extended has another. */
  remind_of_enquiry: { enquiry_id: string; ends_at: string }
  create_payment_account: { user_id: string }
  /** Makes a call to the payment provider again whose outcome is not known. */
  settle_provider_call: { call_id: string }
  /** Its user is erased: so is what the provider still has. */
  leave_provider: { user_id: string }
  apply_provider_event: { event_id: string }
  /** Goes on after a line of the provider's list, which began at `until`; without one it begins. */
  reconcile_provider: { after?: string; until?: string; has_failed?: boolean }
  /** The time after a failed renewal is over. */
  end_grace: { subscription_id: string }
  /** The provider's word of it may have been lost. */
  look_at_subscription: { provider_id: string }
  /** Its user has gone: nothing is taken any more. */
  leave_subscription: { user_id: string }
  /** Its user has come back. */
  resume_subscription: { user_id: string }
  /** The time to confirm it is over. */
  end_unconfirmed: { subscription_id: string }
  /** Asks for the holding fee of a winner, or asks for it anew before the first authorisation lapses. */
  authorise_holding_fee: { holding_fee_id: string }
  renew_holding_fee: { holding_fee_id: string }
  /** Releases or captures it, as its `ending` says. */
  end_holding_fee: { holding_fee_id: string }
  /** Cancels an open payment at the provider: its time is over, or its sale. */
  end_payment: { payment_id: string }
  send_refund: { refund_id: string }
  send_payout: { payout_id: string }
  /** Takes back what a seller was paid, as far as the account covers it. */
  reverse_payout: { payout_id: string; amount: number }
  /** Refunds what a buyer has in cash at the provider, or paid too late, unless a sale has used it meanwhile. */
  return_cash: { user_id: string }
  return_late_payment: { payment_id: string }
  /** Compares a row with the provider, whose word of it may have been lost. */
  look_at_money: { of: MoneyOf; id: string }
  send_holding_fee_letter: { holding_fee_id: string }
  send_money_letter: { user_id: string; about: MoneyNews; id: string }
  /** Draws the PDF of a paper that was issued. */
  draw_paper: { paper_id: string }
  /** Half of a window is over, or its last day begins; nothing is sent once the listing has moved on. */
  remind_of_deadline: { listing_id: string; entered_at: string }
  /** Gives new notifications their places, decides their channels, and tells the open pages of their readers, and of `user_id`. */
  deliver_notifications: { user_id?: string }
  send_notification_email: { notification_id: string }
  /** Everything that is due to a user of one digest, in one email. */
  send_digest_email: { user_id: string; digest: Digest }
  send_push_message: { notification_id: string }
  /** Writes the newest hash of the audit log into the server's log. */
  log_audit_head: Record<string, never>
  /** Sends it to the admins, unless it is still that of the entry `sent`. */
  send_audit_head: { sent?: string }
  send_subscription_letter: { subscription_id: string; letter: SubscriptionNews }
}

/** Whose row: `cash` is a user's cash balance at the provider. */
export type MoneyOf = 'payment' | 'holding_fee' | 'refund' | 'payout' | 'dispute' | 'cash'

/** What admins are told of: `id` is the row's, for cash the user's. */
export type MoneyNews = MoneyFacts['about']

export type JobKind = keyof Jobs

/** What somebody waits for at the screen: it goes before everything else that is due. */
const urgent: ReadonlySet<JobKind> = new Set([
  'send_verification',
  'send_password_reset',
  'send_temporary_password',
  'send_email_change',
  'send_email_changing',
  'send_account_opened',
  'stop_sales_of_suspended',
  'send_second_factor_changed',
  'send_account_deleted',
])

export const JOBS_CHANNEL = 'jobs'

/** Queues work in the caller's own transaction: it exists exactly if that transaction commits. */
export async function enqueue<K extends JobKind>(db: DbOrTx, kind: K, payload: Jobs[K], after = '0 seconds'): Promise<void> {
  await sql`
    with job as (
      insert into jobs (kind, payload, urgent, run_at)
      values (${kind}, ${JSON.stringify(payload)}, ${urgent.has(kind)}, app_now() + ${after}::interval)
    )
    select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}

/** The same on a connection whose transaction somebody else began. */
export async function enqueueOn<K extends JobKind>(client: pg.ClientBase, kind: K, payloads: readonly Jobs[K][]): Promise<void> {
  if (payloads.length === 0) return
  await client.query('insert into jobs (kind, payload, urgent) select $1, payload, $3 from jsonb_array_elements($2::jsonb) as payload', [
    kind,
    JSON.stringify(payloads),
    urgent.has(kind),
  ])
  await client.query('select pg_notify($1, $2)', [JOBS_CHANNEL, ''])
}

type HourlyKind = 'forget_passed' | 'forget_uploads' | 'sweep_storage' | 'log_audit_head'

/** Plans it for the beginning of an hour: this one or the next. However many processes do, there is one. */
export async function planHourly(db: DbOrTx, kind: HourlyKind, hoursAhead: 0 | 1): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ kind, payload: JSON.stringify({}), run_at: sql`date_trunc('hour', app_now()) + make_interval(hours => ${hoursAhead})` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(db)
}
