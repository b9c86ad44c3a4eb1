import { stopped, type Letter, type StepLetters } from '#domain/notifications/step-words.ts'

// What people are told of a sale from its payment on.

const time = (until: string | null, what: string): string[] => (until ? [`${what} by ${until}.`] : [])
const why = (reason: string | null): string[] => (reason ? [`The reason given: ${reason}`] : [])

const letter =
  (subject: string, ...says: string[]): Letter =>
  ({ title }) => ({ subject: `${subject}: ${title}`, says })

const complete = {
  seller: letter('Sale complete', 'The goods are accepted. Your money is on its way to your payment account.'),
  buyer: letter('Purchase complete', 'The sale is complete. You find its papers on the listing.'),
}

const accepted: StepLetters['accept_goods'] = {
  seller: (news) =>
    news.to === 'DeferredPayment'
      ? {
          subject: `Goods accepted: ${news.title}`,
          says: ['The buyer has accepted the goods and pays on deferred terms.', ...time(news.until, 'Payment is due')],
        }
      : complete.seller(news),
  buyer: (news) =>
    news.to === 'DeferredPayment'
      ? { subject: `Payment due: ${news.title}`, says: ['You have accepted the goods.', ...time(news.until, 'Please pay')] }
      : complete.buyer(news),
}

const arrived: StepLetters['confirm_received'] = {
  seller: letter('Goods received', 'The buyer now inspects the goods, and accepts them or asks for an amend.'),
  buyer: ({ title, until }) => ({
    subject: `Inspect your goods: ${title}`,
    says: ['Accept the goods, ask for an amend, or start a return.', ...time(until, 'If we hear nothing, they count as accepted. Answer')],
  }),
}

const amendApproved: StepLetters['approve_amend'] = {
  seller: ({ title, until }) => ({
    subject: `Amend approved: ${title}`,
    says: ['Upload the credit note or the supplementary invoice.', ...time(until, 'If none comes, we issue it for you. Upload it')],
  }),
  buyer: letter('Amend approved', 'The price changes as you asked. The seller now sends the paper for it.'),
}

const amendSettled: StepLetters['upload_credit_note'] = {
  seller: (news) =>
    news.to === 'ExchangeComplete' ? complete.seller(news) : { subject: `Amend settled: ${news.title}`, says: ['The buyer pays next.'] },
  buyer: ({ title, to, until }) => ({
    subject: `Amend settled: ${title}`,
    says:
      to === 'ExchangeComplete'
        ? ['The difference is on its way back to you. The sale is complete.']
        : ['The price has changed: the listing shows what is due.', ...time(until, 'Please pay')],
  }),
}

export const exchangeLetters: StepLetters = {
  paid: {
    seller: (news) =>
      news.to === 'ExchangeComplete'
        ? complete.seller(news)
        : {
            subject: `Paid: ${news.title}`,
            says: ['The buyer has paid. Send the documents for the handover next.', ...time(news.until, 'Send them')],
          },
    buyer: (news) =>
      news.to === 'ExchangeComplete'
        ? complete.buyer(news)
        : { subject: `Payment received: ${news.title}`, says: ['Thank you. The seller now arranges the handover.'] },
    bidder: letter('Sold', 'The listing is sold and paid. Your bid no longer counts.'),
  },
  paid_short: {
    seller: letter('Part payment', 'A part of the payment has arrived. Keep the goods until the rest is here.'),
    buyer: ({ title, until }) => ({
      subject: `Balance due: ${title}`,
      says: ['Your transfer did not cover the whole amount. The listing shows what is still due.', ...time(until, 'Please pay it')],
    }),
  },
  use_deferred_terms: {
    seller: ({ title, until }) => ({
      subject: `Sold on deferred terms: ${title}`,
      says: ['The buyer pays after the exchange, as you allowed. Send the documents for the handover next.', ...time(until, 'Send them')],
    }),
    bidder: letter('Sold', 'The listing is sold. Your bid no longer counts.'),
  },
  miss_payment: {
    seller: ({ title, until }) => ({
      subject: `Buyer missed payment: ${title}`,
      says: [
        'The buyer did not pay in time. Offer the goods to the next bidder, give the buyer a second chance, or relist them.',
        ...time(until, 'Decide'),
      ],
    }),
    buyer: letter(
      'You missed a payment',
      'You did not pay in time. The holding fee is taken, and the sale is over for you unless the seller gives you a second chance.',
    ),
  },
  miss_balance: {
    ...stopped,
    seller: (news) =>
      news.to === 'MissedPayment'
        ? {
            subject: `Buyer missed payment: ${news.title}`,
            says: ['The rest of the payment did not come in time. Decide what happens next on the listing.'],
          }
        : stopped.seller(news),
    buyer: (news) =>
      news.to === 'MissedPayment'
        ? {
            subject: `You missed a payment: ${news.title}`,
            says: ['The rest did not come in time. What you paid is on its way back; the holding fee is taken.'],
          }
        : stopped.buyer(news),
  },
  cancel_by_agreement: {
    seller: (news) => agreed(news, 'buyer'),
    buyer: (news) => agreed(news, 'seller'),
  },
  submit_documents: {
    buyer: ({ title }) => ({
      subject: `Ready to collect: ${title}`,
      says: ['The listing shows when and where, and the six-digit code to give to the seller when you collect.'],
    }),
  },
  dispatch: {
    buyer: letter(
      'On its way to you',
      'The listing shows the vehicle and when it should arrive. Confirm it there when the goods are with you.',
    ),
  },
  documents_late: stopped,
  cancel_sale: {
    seller: letter('Sale cancelled', 'You cancelled the sale. The buyer gets everything back.'),
    buyer: ({ title, reason }) => ({
      subject: `Sale cancelled: ${title}`,
      says: ['The seller cancelled the sale. Everything that you paid is on its way back to you.', ...why(reason)],
    }),
  },
  confirm_handover: arrived,
  confirm_received: arrived,
  presume_received: arrived,
  reschedule: {
    seller: letter('Collection moved', 'The listing shows the new time.'),
    buyer: letter('Collection moved', 'The listing shows the new time.'),
  },
  report_no_show: stopped,
  collection_late: stopped,
  report_not_arrived: stopped,
  accept_goods: accepted,
  presume_accepted: accepted,
  request_amend: {
    seller: ({ title, until }) => ({
      subject: `Amend requested: ${title}`,
      says: [
        'The buyer found something else than was listed. See the lines and the weights, and approve or reject.',
        ...time(until, 'Answer'),
      ],
    }),
  },
  approve_amend: amendApproved,
  amend_unanswered: { ...stopped, seller: orStopped('seller'), buyer: orStopped('buyer') },
  reject_amend: {
    buyer: ({ title, until, reason }) => ({
      subject: `Amend rejected: ${title}`,
      says: [
        'The seller does not agree. Accept the goods, start a return, or ask us to step in.',
        ...why(reason),
        ...time(until, 'Answer'),
      ],
    }),
  },
  withdraw_amend: { seller: letter('Amend withdrawn', 'The buyer no longer asks for another price.') },
  escalate: stopped,
  upload_credit_note: amendSettled,
  upload_supplementary_invoice: amendSettled,
  issue_amend_papers: amendSettled,
  become_overdue: {
    seller: letter('Payment overdue', 'The buyer has not paid by the agreed day. We have stopped their bidding until they do.'),
    buyer: letter('Your payment is overdue', 'Please pay now. You cannot bid until it is paid.'),
  },
  stay_overdue: stopped,
  start_return: {
    seller: ({ title, reason }) => ({
      subject: `Return started: ${title}`,
      says: ['The buyer wants to send the goods back. You can contest it on the listing.', ...why(reason)],
    }),
  },
  dispatch_return: {
    seller: ({ title, until }) => ({
      subject: `Goods on their way back: ${title}`,
      says: [
        'Confirm it when they are with you: the buyer is refunded then.',
        ...time(until, 'If we hear nothing, they count as returned. Confirm'),
      ],
    }),
  },
  cancel_return: { seller: letter('Return cancelled', 'The buyer keeps the goods.') },
  lapse_return: {
    seller: letter('Return ran out', 'The buyer did not send the goods back in time, so the inspection goes on.'),
    buyer: letter('Your return ran out', 'The goods were not sent back in time, so the inspection goes on.'),
  },
  contest_return: stopped,
  dispute_return: stopped,
  confirm_return: { buyer: letter('Return complete', 'The seller has the goods. Everything that you paid is on its way back to you.') },
  presume_returned: {
    seller: letter('Return complete', 'The goods count as returned. The buyer is refunded.'),
    buyer: letter('Return complete', 'The goods count as returned. Everything that you paid is on its way back to you.'),
  },
  raise_issue: stopped,
  release: {
    seller: letter('Your listing goes on', 'We have looked at it. It goes on where it stood; deadlines go on too.'),
    buyer: letter('Your purchase goes on', 'We have looked at it. It goes on where it stood; deadlines go on too.'),
  },
  resolve: {
    seller: ({ title, reason }) => ({
      subject: `We have decided: ${title}`,
      says: ['The listing shows what happens now.', ...why(reason)],
    }),
    buyer: ({ title, reason }) => ({ subject: `We have decided: ${title}`, says: ['The listing shows what happens now.', ...why(reason)] }),
    bidder: letter('Closed', 'The listing has ended. Your bid no longer counts.'),
  },
  dispute_opened: {
    seller: letter(
      'A payment is disputed',
      'The buyer’s bank has taken the payment back for now. Your payout is stopped until that is decided.',
    ),
    admin: stopped.admin,
  },
  dispute_won: {
    seller: letter('Dispute decided for you', 'The payment stands.'),
    admin: letter('Dispute won', 'The payment stands, and the listing can be released.'),
  },
  dispute_lost: {
    seller: letter('Dispute lost', 'The buyer’s bank keeps the payment. We get in touch about what happens next.'),
    admin: letter('Dispute lost', 'It counts as refunded. The listing waits for a decision.'),
  },
  remove: {
    seller: ({ title, reason }) => ({ subject: `Removed: ${title}`, says: ['We have removed your listing.', ...why(reason)] }),
    buyer: letter('Listing removed', 'We have removed the listing. Everything that you paid is on its way back to you.'),
    bidder: letter('Listing removed', 'We have removed a listing that you bid on. Your bid no longer counts.'),
  },
  restore: { seller: letter('Restored', 'Your listing is being prepared, and opens for bids again.') },
}

function agreed({ title, to }: Parameters<Letter>[0], other: 'seller' | 'buyer'): ReturnType<Letter> {
  return to === 'Expired'
    ? { subject: `Sale cancelled: ${title}`, says: ['You have both agreed to cancel the sale. Nothing is due.'] }
    : {
        subject: `Cancel this sale: ${title}`,
        says: [`One side wants to cancel the sale. It ends when the ${other} agrees too; until then it stands.`],
      }
}

function orStopped(side: 'seller' | 'buyer'): Letter {
  return (news) => (news.to === 'HasAdminIssue' ? stopped[side](news) : (amendApproved?.[side]?.(news) ?? stopped[side](news)))
}
