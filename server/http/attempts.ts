import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { refuse } from '#server/http/errors.ts'

/** How often a thing may be tried. The counts live in the database: every server process sees the same ones. */
const limits = {
  login_account: { allowed: 5, per: '15 minutes' },
  login_address: { allowed: 50, per: '15 minutes' },
  register: { allowed: 300, per: '1 hour' },
  /** Only who knows the password comes so far: it is the account's, wherever the tries come from. */
  second_factor: { allowed: 5, per: '15 minutes' },
  password_check: { allowed: 10, per: '15 minutes' },
  password_reset_email: { allowed: 3, per: '1 hour' },
  password_reset_address: { allowed: 30, per: '1 hour' },
  verify_email_send: { allowed: 5, per: '1 hour' },
  /** Allowed: the setting `email_changes_per_day`. */
  email_change_user: { allowed: 5, per: '1 day' },
  email_change_target: { allowed: 3, per: '1 day' },
  token: { allowed: 60, per: '15 minutes' },
  upload: { allowed: 600, per: '1 hour' },
  coupon: { allowed: 60, per: '1 hour' },
  provider_link: { allowed: 60, per: '1 hour' },
  // a page that waits for the provider's verification asks every 8 seconds, in each of its tabs
  provider_read: { allowed: 60, per: '1 minute' },
  vat_check: { allowed: 20, per: '1 hour' },
  location: { allowed: 240, per: '1 minute' },
  enquiry: { allowed: 30, per: '1 day' },
  /** Allowed: the setting `chat_rate`. */
  market_message: { allowed: 30, per: '1 minute' },
  /** Allowed: the setting `chat_rate`. */
  chat_message: { allowed: 30, per: '1 minute' },
  report: { allowed: 30, per: '1 hour' },
} as const

/** No limit looks further back. */
export const LONGEST_LIMIT = '1 day'

export type Limited = keyof typeof limits

/** Counts a try, or refuses with how long to wait. Answers what `forgiveAttempt` needs when the try was a good one. */
export async function takeAttempt(
  db: Db,
  what: Limited,
  whose: string,
  allowed: number = limits[what].allowed,
): Promise<{ id: string; bucket: string }> {
  const { per } = limits[what]
  const bucket = bucketOf(what, whose)
  const { rows } = await sql<{
    attempt_id: string | null
    wait_seconds: number | null
  }>`select * from take_attempt(${bucket}, ${allowed}, ${per}::interval)`.execute(db)
  const [row] = rows
  if (row?.attempt_id) return { id: row.attempt_id, bucket }
  const wait = row?.wait_seconds ?? 60
  throw refuse('too_many_attempts', `Too many attempts. Please try again in ${inWords(wait)}.`, { retryAfterSeconds: wait })
}

export async function forgiveAttempt(db: Db, attempt: { id: string }): Promise<void> {
  await db.deleteFrom('attempts').where('id', '=', attempt.id).execute()
}

export async function clearAttempts(db: Db, attempt: { bucket: string }): Promise<void> {
  await db.deleteFrom('attempts').where('bucket', '=', attempt.bucket).execute()
}

// hashed: a table of limits need not know who mistyped a password, and a bucket stays short whatever was typed
const bucketOf = (what: Limited, whose: string) => `${what}:${createHash('sha256').update(whose).digest('base64url')}`

/** An IPv6 customer holds a whole /64: it counts as one address. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = ip.includes('::') ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right] : left
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** This machine, or a proxy on it that does not say for whom it asks. */
export const isLoopback = (ip: string): boolean => ip === '::1' || /^(::ffff:)?127\./.test(ip)

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`
}
