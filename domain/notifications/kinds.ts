import type { NotificationChannel, NotificationKind } from '#contract/values/notification-kinds.ts'
import { documentKinds, type DocumentKind } from '#contract/values/document-kinds.ts'
import { formatPence, formatPrice, formatWeight } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import { lastDayInWords } from '#domain/licence.ts'
import type { PriceBasis } from '#domain/money.ts'
import { enquiryWords, type EnquiryFacts } from '#domain/notifications/enquiry-words.ts'
import { moneyWords, type MoneyFacts } from '#domain/notifications/money-words.ts'
import { stepWords, type StepFacts } from '#domain/notifications/step-words-of.ts'
import { subscriptionWords, type SubscriptionFacts } from '#domain/notifications/subscription-words.ts'

/** Title, paragraphs, and what the button says that opens the link. */
export type Words = { title: string; says: string[]; action: string }

type Priced = { title: string; price: number; price_basis: PriceBasis }

/** What each kind tells: the facts of its event, as they were then. Amounts in pence, times in ISO 8601. */
export type NotificationFacts = {
  outbid: Priced & { minimum_bid: number; ends_at: string }
  ending_soon: Priced & { town: string; bid_count: number; ends_at: string }
  won: StepFacts
  offered: StepFacts
  bid_closed: StepFacts
  listing_progress: StepFacts
  sold: StepFacts
  payment: StepFacts | { holding_fee: number; title: string }
  deadline_reminder: { title: string; until: string }
  exchange: StepFacts
  amend_or_return: StepFacts
  sale_stopped: StepFacts
  /** `preview` is masked already. */
  chat_message: { from: string; title: string; preview: string }
  /** `search` is the name of the saved search; without one the material preferences matched. */
  listing_matched: Priced & { town: string; ends_at: string; weight_kg?: number | null; search?: string }
  licence:
    | { document: DocumentKind; outcome: 'approved'; expires_at: string | null }
    | { document: DocumentKind; outcome: 'rejected'; reason: string }
    | { document: DocumentKind; outcome: 'ends'; expires_at: string; days: number }
  kyc: StepFacts
  vat: StepFacts | { vat_number: string }
  subscription: SubscriptionFacts
  admin_issue: StepFacts
  admin_money: MoneyFacts
  admin_report: { about: string; reason: string; from: string }
} & { [K in Extract<NotificationKind, `enquiry_${string}`>]: EnquiryFacts }

/** What one email collects. */
export type Digest = 'matches' | 'messages'

type Row<K extends NotificationKind> = {
  /** The heading that it stands under in the settings. */
  group: (typeof groups)[number]
  label: string
  about: string
  /** On unless the user says otherwise. */
  channels: Record<NotificationChannel, boolean>
  /** Cannot be switched off. */
  locked?: readonly NotificationChannel[]
  /** Sent at once in quiet hours too. */
  ignoresQuietHours?: true
  /** Emails are collected: the first goes at once, later ones together (timing.ts says when). */
  digest?: Digest
  /** Not for settings: these readers have no choice, or are few. */
  isForAdmins?: true
  words: (facts: NotificationFacts[K]) => Words
}

export const groups = ['Bidding', 'Selling', 'Sales and payments', 'Messages and market', 'Your account'] as const

const all = { in_app: true, email: true, push: true }
const noPush = { in_app: true, email: true, push: false }

const LISTING = 'Open the listing'

/** Every kind: under what heading, by which channels, in which words. RULES §6. */
export const kinds: { [K in NotificationKind]: Row<K> } = {
  outbid: {
    group: 'Bidding',
    label: 'Outbid',
    about: 'Somebody takes the lead from you.',
    channels: all,
    words: ({ title, price, price_basis, minimum_bid, ends_at }) => ({
      title: `You were outbid: ${title}`,
      says: [
        `The price is now ${formatPrice(price, price_basis)}. ${formatPrice(minimum_bid, price_basis)} takes the lead.`,
        `It ends on ${formatMoment(new Date(ends_at))}.`,
      ],
      action: 'Bid again',
    }),
  },
  ending_soon: {
    group: 'Bidding',
    label: 'Ending soon',
    about: 'A listing that you watch ends in an hour, and in ten minutes.',
    channels: all,
    words: ({ title, town, price, price_basis, bid_count, ends_at }) => ({
      title: `Ending soon: ${title}`,
      says: [
        `A listing that you watch ends at ${formatMoment(new Date(ends_at))}: ${title}, ${town}.`,
        bid_count === 0
          ? `Nobody has bid yet. It starts at ${formatPrice(price, price_basis)}.`
          : `It stands at ${formatPrice(price, price_basis)} after ${bid_count === 1 ? 'one bid' : `${bid_count} bids`}.`,
      ],
      action: 'See the listing',
    }),
  },
  won: { group: 'Bidding', label: 'Won', about: 'You win a listing or buy it by an offer.', channels: all, words: stepWords },
  offered: {
    group: 'Bidding',
    label: 'Offers to you',
    about: 'A seller offers you a listing at your own bid.',
    channels: all,
    words: stepWords,
  },
  bid_closed: {
    group: 'Bidding',
    label: 'Not won',
    about: 'A listing that you bid on is sold to another, withdrawn or closed.',
    channels: noPush,
    words: stepWords,
  },
  listing_progress: {
    group: 'Selling',
    label: 'Your listings',
    about: 'Your listing goes live, ends without a sale, or an offer of yours is answered.',
    channels: noPush,
    words: stepWords,
  },
  sold: { group: 'Selling', label: 'Sold', about: 'Your listing is sold.', channels: all, words: stepWords },
  payment: {
    group: 'Sales and payments',
    label: 'Payments',
    about: 'Money is due, paid, missing or disputed, or a holding fee needs you.',
    channels: all,
    locked: ['in_app', 'email'],
    ignoresQuietHours: true,
    words: (facts) =>
      'holding_fee' in facts
        ? {
            title: `Your card needs you: holding fee for ${facts.title}`,
            says: [
              `We could not hold ${formatPence(facts.holding_fee)} on your saved card for “${facts.title}”. Your bank may want you to confirm it, or the card was refused.`,
              'The holding fee is released when you pay. Please confirm it, or use another card.',
            ],
            action: 'Confirm the holding fee',
          }
        : stepWords(facts),
  },
  deadline_reminder: {
    group: 'Sales and payments',
    label: 'Reminders',
    about: 'A sale waits for you, and the time for it is half over or ends in a day.',
    channels: all,
    locked: ['in_app'],
    words: ({ title, until }) => ({
      title: `Waiting for you: ${title}`,
      says: [`There is something for you to do by ${formatMoment(new Date(until))}. The listing shows what.`],
      action: LISTING,
    }),
  },
  exchange: {
    group: 'Sales and payments',
    label: 'Handover',
    about: 'Documents, collection, delivery, inspection and the end of a sale.',
    channels: all,
    locked: ['in_app'],
    words: stepWords,
  },
  amend_or_return: {
    group: 'Sales and payments',
    label: 'Amends and returns',
    about: 'The price of a sale is to change, or goods go back.',
    channels: all,
    locked: ['in_app'],
    words: stepWords,
  },
  sale_stopped: {
    group: 'Sales and payments',
    label: 'Stopped sales',
    about: 'We stop a listing or a sale to look at it, and decide.',
    channels: all,
    locked: ['in_app', 'email'],
    words: stepWords,
  },
  chat_message: {
    group: 'Messages and market',
    label: 'Messages',
    about: 'Another merchant writes to you about a listing.',
    channels: all,
    digest: 'messages',
    words: ({ from, title, preview }) => ({ title: `${from} wrote about ${title}`, says: [preview], action: 'Read and answer' }),
  },
  listing_matched: {
    group: 'Messages and market',
    label: 'Listings for you',
    about: 'A new listing matches a saved search or your material preferences.',
    channels: all,
    digest: 'matches',
    words: ({ title, town, price, price_basis, ends_at, weight_kg, search }) => ({
      title: `New listing: ${title}`,
      says: [
        search === undefined ? 'A new listing matches your material preferences:' : `A new listing matches your saved search '${search}':`,
        `${title}, ${town}. ${weight_kg ? `${formatWeight(weight_kg)}, ` : ''}${formatPence(price)} ${price_basis === 'tonne' ? 'per tonne' : 'for the lot'}, until ${formatMoment(new Date(ends_at))}.`,
      ],
      action: 'See the listing',
    }),
  },
  enquiry_matched: {
    group: 'Messages and market',
    label: 'Enquiries for you',
    about: 'A new enquiry in the market matches your material preferences.',
    channels: all,
    digest: 'matches',
    words: enquiryWords.matched,
  },
  enquiry_offer: {
    group: 'Messages and market',
    label: 'Offers on your enquiry',
    about: 'A merchant makes an offer for your enquiry.',
    channels: all,
    words: enquiryWords.offer,
  },
  enquiry_counter_offer: {
    group: 'Messages and market',
    label: 'Counter-offers',
    about: 'The other side answers with another price.',
    channels: all,
    words: enquiryWords.counterOffer,
  },
  enquiry_offer_declined: {
    group: 'Messages and market',
    label: 'Offers declined',
    about: 'Your offer is declined.',
    channels: noPush,
    words: enquiryWords.declined,
  },
  enquiry_offer_withdrawn: {
    group: 'Messages and market',
    label: 'Offers withdrawn',
    about: 'An offer to you is withdrawn.',
    channels: noPush,
    words: enquiryWords.withdrawn,
  },
  enquiry_message: {
    group: 'Messages and market',
    label: 'Market messages',
    about: 'Somebody writes to you in a conversation about an enquiry.',
    channels: all,
    digest: 'messages',
    words: enquiryWords.message,
  },
  enquiry_agreed: {
    group: 'Messages and market',
    label: 'Deals agreed',
    about: 'An offer is accepted: you have a deal.',
    channels: all,
    locked: ['in_app'],
    words: enquiryWords.agreed,
  },
  enquiry_closed_for_others: {
    group: 'Messages and market',
    label: 'Deals gone to others',
    about: 'An enquiry that you made an offer for is agreed with another merchant.',
    channels: noPush,
    words: enquiryWords.closedForOthers,
  },
  enquiry_ends_soon: {
    group: 'Messages and market',
    label: 'Your enquiry ends soon',
    about: 'A reminder to extend your enquiry.',
    channels: all,
    words: enquiryWords.endsSoon,
  },
  enquiry_ended: {
    group: 'Messages and market',
    label: 'Enquiries ended',
    about: 'Your enquiry, or one that you made an offer for, has ended.',
    channels: noPush,
    words: enquiryWords.ended,
  },
  licence: {
    group: 'Your account',
    label: 'Licence and documents',
    about: 'A document is approved or not, or your licence ends soon.',
    channels: all,
    locked: ['in_app', 'email'],
    words: (facts) => {
      const name = documentKinds[facts.document].toLowerCase()
      if (facts.outcome === 'approved') {
        const until = facts.expires_at ? ` It counts until ${lastDayInWords(new Date(facts.expires_at))}.` : ''
        const mayBid = 'With a full subscription and a card for the holding fee you can bid on scrap now.'
        return {
          title: `Your ${name} is approved`,
          says: [`We have checked your ${name} and approved it.${until}`, ...(facts.document === 'scrap_dealer_licence' ? [mayBid] : [])],
          action: 'See your documents',
        }
      }
      if (facts.outcome === 'rejected') {
        return {
          title: `We could not approve your ${name}`,
          says: [
            `We have looked at your ${name} and could not approve it, because:`,
            facts.reason,
            'Please upload it again, whole, readable and up to date. Selling continues as before; bidding on scrap needs an approved licence.',
          ],
          action: 'Upload it again',
        }
      }
      return {
        title: `Your scrap dealer licence ends in ${facts.days === 1 ? 'a day' : `${facts.days} days`}`,
        says: [
          `Your scrap dealer licence counts until ${lastDayInWords(new Date(facts.expires_at))}. After that you cannot bid on scrap.`,
          'Renew it with your council and upload the new one. If you have sent it already, there is nothing to do.',
        ],
        action: 'Upload the new licence',
      }
    },
  },
  kyc: {
    group: 'Your account',
    label: 'Payment account checks',
    about: 'A sale waits for a payment account to be verified, or goes on.',
    channels: all,
    locked: ['in_app', 'email'],
    words: stepWords,
  },
  vat: {
    group: 'Your account',
    label: 'VAT number checks',
    about: 'Your VAT number fails its check, or a sale that waited for it goes on.',
    channels: all,
    locked: ['in_app', 'email'],
    words: (facts) =>
      'vat_number' in facts
        ? {
            title: 'We could not find your VAT number',
            says: [
              `${facts.vat_number} is not in the register of UK VAT numbers.`,
              'Please correct it, or tell us that you are not VAT registered. A sale has to wait until then. If the number is new, we ask the register again before a sale has to wait for it.',
            ],
            action: 'Correct it',
          }
        : stepWords(facts),
  },
  subscription: {
    group: 'Your account',
    label: 'Subscription',
    about: 'Your plan starts, ends or could not be paid.',
    channels: noPush,
    locked: ['in_app', 'email'],
    ignoresQuietHours: true,
    words: subscriptionWords,
  },
  admin_issue: {
    group: 'Your account',
    label: 'Issues to look at',
    about: 'A listing was stopped and waits for the back office.',
    channels: noPush,
    isForAdmins: true,
    words: stepWords,
  },
  admin_money: {
    group: 'Your account',
    label: 'Money to look at',
    about: 'A refund, payout or transfer needs the back office.',
    channels: noPush,
    locked: ['in_app', 'email'],
    isForAdmins: true,
    words: moneyWords,
  },
  admin_report: {
    group: 'Your account',
    label: 'Reports',
    about: 'A user reports a message, a listing or another user.',
    channels: noPush,
    isForAdmins: true,
    words: ({ about, reason, from }) => ({ title: `Reported: ${about}`, says: [`${from} reports it:`, reason], action: 'Look at it' }),
  },
}

/** What somebody reads of a notification. */
export function wordsOf<K extends NotificationKind>(kind: K, facts: NotificationFacts[K]): Words {
  return kinds[kind].words(facts)
}
