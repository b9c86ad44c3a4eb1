import { formatDay, formatPence } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'
import { nextAmount } from '#server/features/subscription/present.ts'
import { couponOf, findSubscription, type SubscriptionRow } from '#server/features/subscription/queries.ts'
import type { SubscriptionLetter } from '#server/jobs/queue.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mail, Mailer } from '#server/providers/mail.ts'

type LetterText = { subject: string; says: string[]; label: string; ends: string }

const day = (at: Date | null) => (at ? formatDay(at) : 'the end of the period')

/** What each letter says; null when what it was about is over by the time it is sent. */
const letters: Record<SubscriptionLetter, (row: SubscriptionRow, next: number) => LetterText | null> = {
  started: (row, next) => ({
    subject: 'Your subscription has started',
    says: ['You have the full plan: bid, chat with other merchants, and find deals with tradespeople.', ...nextPayment(row, next)],
    label: 'Your subscription',
    ends: cancelAtAnyTime,
  }),
  cancelled: (row) =>
    row.cancel_at_period_end && row.ended_at === null
      ? {
          subject: 'Your subscription is cancelled',
          says: [
            `Nothing more is taken. You keep the full plan until ${day(row.current_period_end)}; until then you can take the cancellation back.`,
          ],
          label: 'Your subscription',
          ends: 'We are sorry to see you go.',
        }
      : null,
  resumed: (row, next) =>
    row.cancel_at_period_end || row.ended_at !== null
      ? null
      : {
          subject: 'Your subscription goes on',
          says: ['It is no longer cancelled: you keep the full plan.', ...nextPayment(row, next)],
          label: 'Your subscription',
          ends: cancelAtAnyTime,
        },
  ended: () => ({
    subject: 'Your subscription has ended',
    says: ['Your full plan is over, and nothing more is taken. Your account stays, on the free plan.'],
    label: 'Subscribe again',
    ends: 'Your listings and what you have bought stay as they are.',
  }),
  renewal_failed: (row) => unpaid(row, 'Your payment did not go through', 'We could not take the monthly payment for your subscription.'),
  renewal_reminder: (row) =>
    unpaid(row, 'Your subscription is still unpaid', 'The monthly payment for your subscription has still not gone through.'),
  trial_ending: (row, next) =>
    row.status === 'trialing' && row.ended_at === null && !row.cancel_at_period_end
      ? {
          subject: 'Your free trial ends soon',
          says: [
            `Your free trial ends on ${day(row.trial_ends_at)}. On that day we take ${formatPence(next)} from your card.`,
            ...monthly(row, next),
          ],
          label: 'Your subscription',
          ends: 'Cancel before that day and nothing is taken.',
        }
      : null,
}

const cancelAtAnyTime = 'You can cancel at any time, with effect from the end of the period.'

const nextPayment = (row: SubscriptionRow, next: number): string[] => [
  row.status === 'trialing'
    ? `Your free trial runs until ${day(row.trial_ends_at)}. The payment on that day is ${formatPence(next)}.`
    : `The next payment is on ${day(row.current_period_end)}: ${formatPence(next)}.`,
  ...monthly(row, next),
]

/** A payment that a coupon or credit has lowered is not the price. */
const monthly = ({ price }: SubscriptionRow, next: number): string[] => [
  next === price ? 'From then on it is the same every month.' : `Without a coupon or credit the price is ${formatPence(price)} a month.`,
]

function unpaid(row: SubscriptionRow, subject: string, first: string): LetterText | null {
  if (row.past_due_since === null || row.ended_at !== null) return null
  return {
    subject,
    says: [
      first,
      `You keep the full plan until ${day(row.grace_ends_at)}. Use another card before then, and everything goes on as before.`,
    ],
    label: 'Use another card',
    ends: 'If nothing is paid by then, your account goes on with the free plan.',
  }
}

type LetterDeps = { db: Db; mailer: Mailer; publicUrl: string }

export async function sendLetter({ db, mailer, publicUrl }: LetterDeps, subscriptionId: string, which: SubscriptionLetter): Promise<void> {
  const row = await findSubscription(db, subscriptionId)
  const reader =
    row &&
    (await db
      .selectFrom('users')
      .select(['email', 'first_name', 'subscription_credit'])
      .where('id', '=', row.user_id)
      .where('erased_at', 'is', null)
      .executeTakeFirst())
  if (!reader) return
  const content = letters[which](row, nextAmount(row, await couponOf(db, row.coupon_id), reader.subscription_credit))
  if (!content) return
  const { subject, says, label, ends } = content
  const mail: Mail = letter(reader, subject, { says, action: { label, url: `${publicUrl}/account/subscriptions` }, ends })
  await mailer.send(mail)
}
