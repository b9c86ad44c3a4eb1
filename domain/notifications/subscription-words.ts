import { formatPence } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import type { Words } from '#domain/notifications/kinds.ts'

export type SubscriptionNews = 'started' | 'cancelled' | 'resumed' | 'ended' | 'renewal_failed' | 'renewal_reminder' | 'trial_ending'

/** The plan as it was; `next` is the next payment and `price` the monthly one, in pence. */
export type SubscriptionFacts = {
  news: SubscriptionNews
  /** Deleted, and not restored. */
  isAccountClosed?: boolean
  isTrial: boolean
  trial_ends_at: string | null
  period_ends_at: string | null
  grace_ends_at: string | null
  next: number
  price: number
}

const day = (at: string | null) => (at ? formatDay(new Date(at)) : 'the end of the period')

/** A payment that a coupon or credit has lowered is not the price. */
const monthly = ({ price, next }: SubscriptionFacts) =>
  next === price ? 'From then on it is the same every month.' : `Without a coupon or credit the price is ${formatPence(price)} a month.`

const nextPayment = (facts: SubscriptionFacts): string[] => [
  facts.isTrial
    ? `Your free trial runs until ${day(facts.trial_ends_at)}. The payment on that day is ${formatPence(facts.next)}.`
    : `The next payment is on ${day(facts.period_ends_at)}: ${formatPence(facts.next)}.`,
  monthly(facts),
]

const unpaid = ({ grace_ends_at }: SubscriptionFacts): string[] => [
  `You keep the full plan until ${day(grace_ends_at)}. Use another card before then, and nothing changes.`,
  'If nothing is paid by then, your account continues on the free plan.',
]

const PLAN = 'Your subscription'
const CANCEL = 'You can cancel at any time, with effect from the end of the period.'

const table: Record<SubscriptionNews, (facts: SubscriptionFacts) => Words> = {
  started: (facts) => ({
    title: 'Your subscription has started',
    says: ['You have the full plan: bid, chat with other merchants, and find deals with tradespeople.', ...nextPayment(facts), CANCEL],
    action: PLAN,
  }),
  cancelled: ({ period_ends_at, isAccountClosed }) => ({
    title: 'Your subscription is cancelled',
    says: [
      isAccountClosed
        ? 'Nothing more is taken. If you restore your account in time, the subscription goes on.'
        : `Nothing more is taken. You keep the full plan until ${day(period_ends_at)}; until then you can take the cancellation back.`,
    ],
    action: PLAN,
  }),
  resumed: (facts) => ({
    title: 'Your subscription goes on',
    says: ['It is no longer cancelled: you keep the full plan.', ...nextPayment(facts), CANCEL],
    action: PLAN,
  }),
  ended: () => ({
    title: 'Your subscription has ended',
    says: [
      'Your full plan is over, and nothing more is taken. Your account stays, on the free plan.',
      'Your listings and what you have bought stay as they are.',
    ],
    action: 'Subscribe again',
  }),
  renewal_failed: (facts) => ({
    title: 'Your payment did not go through',
    says: ['We could not take the monthly payment for your subscription.', ...unpaid(facts)],
    action: 'Use another card',
  }),
  renewal_reminder: (facts) => ({
    title: 'Your subscription is still unpaid',
    says: ['The monthly payment for your subscription has still not gone through.', ...unpaid(facts)],
    action: 'Use another card',
  }),
  trial_ending: (facts) => ({
    title: 'Your free trial ends soon',
    says: [
      `Your free trial ends on ${day(facts.trial_ends_at)}. On that day we take ${formatPence(facts.next)} from your card.`,
      monthly(facts),
      'Cancel before that day and nothing is taken.',
    ],
    action: PLAN,
  }),
}

export const subscriptionWords = (facts: SubscriptionFacts): Words => table[facts.news](facts)
