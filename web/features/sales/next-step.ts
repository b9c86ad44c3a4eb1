import type { Listing } from '#contract/listings.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { formatPence } from '#domain/format.ts'
import { formatAppointment, formatDay } from '#domain/format-time.ts'
import type { Party } from '#web/listing/turn.ts'

/** What has happened and what comes next, in a sentence or two to the one who reads it. */
export function nextStepOf(listing: Listing, party: Party): string | undefined {
  const row = nextSteps[listing.status.name]
  const words = typeof row === 'string' || typeof row === 'function' ? row : row?.[party]
  return typeof words === 'function' ? words(listing) : words
}

type Words = string | ((listing: Listing) => string | undefined)

const due = ({ amounts }: Listing) => (amounts ? formatPence(amounts.due.value) : 'The amount')
const at = (moment: string | null | undefined) => (moment ? ` on ${formatAppointment(new Date(moment))}` : '')
const isCollected = ({ transfer_method_id }: Listing) => transfer_method_id === transferMethods.Collection
const canDo = ({ available_actions }: Listing, wanted: string) => available_actions.some(({ action }) => action === wanted)
/** Goods that are handed over before they are paid: on deferred terms. */
const isOnTerms = ({ amounts }: Listing) => amounts !== null && amounts.paid.value === 0 && amounts.total.value > 0
const isAmended = ({ amends }: Listing) => amends.some(({ status }) => status === 'approved')
const isRejected = ({ amends }: Listing) => amends.at(-1)?.status === 'rejected'
const lastAmend = ({ amends }: Listing) => amends.findLast(({ status }) => status === 'approved')
const isOverdue = ({ user_deferred_payment, server_time }: Listing) =>
  user_deferred_payment !== null && Date.parse(server_time) >= Date.parse(user_deferred_payment.expires_at)
const dueDay = ({ user_deferred_payment }: Listing) =>
  user_deferred_payment ? ` by ${formatDay(new Date(user_deferred_payment.expires_at))}` : ''
/** 'offer it to the next bidder, or relist it', of what can still be done. */
const choices = (listing: Listing, words: Record<string, string>) =>
  Object.entries(words)
    .flatMap(([action, says]) => (canDo(listing, action) ? [says] : []))
    .join(', or ')

const nextSteps: Partial<Record<ListingStatus, Words | Partial<Record<Party, Words>>>> = {
  Processing: { seller: 'Its photos are being checked. It opens for bids in a moment.' },
  Expired: {
    seller: (listing) => {
      if (listing.can_offer_at_reservation_price)
        return 'The highest bid is below your reservation price. Offer the goods to that bidder at their bid, or relist them.'
      if (!canDo(listing, 'relist')) return undefined
      return listing.bid_count === 0
        ? 'Nobody bid. Relist it with one tap, and change what you like before the first bid.'
        : 'You can relist the goods.'
    },
  },
  ReservationPrice: {
    seller: 'The highest bidder decides whether to buy at their bid.',
    buyer: 'The reservation price was not met, and the seller offers you the goods at your highest bid.',
  },
  NextBidder: {
    seller: 'The next bidder decides whether to buy at their own highest bid.',
    buyer: 'The first buyer did not complete the sale, and the seller offers you the goods at your highest bid.',
  },
  AwaitingKYC: 'The payment provider has to verify both accounts before money can move. The sale goes on by itself then.',
  AwaitingVatNumberVerification: {
    seller: 'Your VAT number failed its check. Correct it, or say that you are not VAT registered.',
    buyer: 'The seller’s VAT number is being put right. You pay after that.',
  },
  InvoiceRequired: {
    seller: 'Upload your invoice for the total below. If none comes in time, we issue it for you.',
    buyer: 'The seller makes the invoice. You pay after that.',
  },
  PendingPayment: {
    seller: 'The buyer pays next. Keep the goods until it is paid.',
    buyer: (listing) =>
      listing.payment?.status === 'processing'
        ? 'You won, and your payment is on its way. The sale goes on by itself when it arrives.'
        : `You won. ${due(listing)} is due.`,
  },
  MissedPayment: {
    seller: (listing) => {
      const open = choices(listing, {
        offer_to_next_bidder: 'offer the goods to the next bidder',
        reinstate_buyer: 'give the buyer a second chance',
        relist: 'relist them',
      })
      return `The buyer did not pay in time.${open && ` You can ${open}.`}`
    },
    buyer: 'You did not pay in time.',
  },
  DocumentsRequired: {
    seller: (listing) => {
      const start = isOnTerms(listing) ? 'The buyer pays later on agreed terms; you bear the risk.' : 'The buyer has paid.'
      return isCollected(listing)
        ? `${start} Photograph the load, add the weighbridge ticket and name a time to collect.`
        : `${start} Dispatch the goods with their ticket, photos and delivery note.`
    },
    buyer: (listing) => {
      const start = isOnTerms(listing) ? 'You pay later, on your terms.' : 'Your payment has arrived.'
      return isCollected(listing) ? `${start} The seller now names a time to collect.` : `${start} The seller now dispatches the goods.`
    },
  },
  PendingCollection: {
    seller: ({ exchange }) =>
      `The buyer collects${at(exchange?.slot)}. When the goods are loaded, type the six digits from the buyer’s screen.`,
    buyer: ({ exchange }) => `Collect the goods${at(exchange?.slot)}. When they are loaded, show the seller the code below.`,
  },
  Dispatched: {
    seller: ({ exchange }) => `The goods are on their way and due${at(exchange?.eta)}. The buyer confirms when they arrive.`,
    buyer: ({ exchange }) => `The goods are on their way and due${at(exchange?.eta)}. Confirm here when they have arrived.`,
  },
  ReceivedGoods: {
    seller: (listing) =>
      isRejected(listing)
        ? 'You rejected the amend. The buyer now accepts the goods, returns them or asks Yardbid to step in.'
        : 'The buyer weighs and inspects the goods. You are paid when they are accepted.',
    buyer: (listing) =>
      isRejected(listing)
        ? 'The seller rejected your amend. Accept the goods as they are, return them, or ask Yardbid to step in.'
        : 'Weigh and inspect the goods. Accept them, ask for an amend or start a return; without a word from you they count as accepted at the deadline.',
  },
  ReviewAmend: {
    seller: 'The buyer found something else than was listed. Look at the figures and the evidence, then approve or reject the amend.',
    buyer: 'The seller decides on your amend. Your time to inspect the goods stands still meanwhile.',
  },
  ApprovedAmendsDocumentsRequired: {
    seller: (listing) => {
      const change = lastAmend(listing)?.difference.value ?? 0
      const paper = change > 0 ? 'supplementary invoice' : 'credit note'
      return `The new price stands. Upload your ${paper}${change ? ` for ${formatPence(Math.abs(change))}` : ''}; if none comes in time, we issue it for you.`
    },
    buyer: (listing) =>
      (lastAmend(listing)?.difference.value ?? 0) > 0
        ? 'The new price stands. You pay the difference when the seller’s invoice is here.'
        : 'The new price stands. You get the difference back when the seller’s credit note is here.',
  },
  BalanceDue: {
    seller: (listing) =>
      isAmended(listing)
        ? `The buyer pays the ${due(listing)} that the amend added.`
        : `A part has arrived. ${due(listing)} is still to come; keep the goods until it is paid.`,
    buyer: (listing) =>
      isAmended(listing)
        ? `The amend raised the price. ${due(listing)} is due.`
        : `A part of your payment has arrived. ${due(listing)} is still due.`,
  },
  DeferredPayment: {
    seller: (listing) =>
      isOverdue(listing)
        ? `${due(listing)} is overdue. The buyer cannot bid until it is paid.`
        : `The buyer pays ${due(listing)} on agreed terms${dueDay(listing)}.`,
    buyer: (listing) =>
      isOverdue(listing)
        ? `${due(listing)} is overdue. You cannot bid until it is paid.`
        : `The goods are yours. ${due(listing)} is due${dueDay(listing)}.`,
  },
  ReturnStarted: {
    seller: 'The buyer sends the goods back. If you do not agree, contest the return, and Yardbid decides.',
    buyer: 'Send the goods back and upload the delivery note. You can still keep them.',
  },
  ReturnDispatched: {
    seller: ({ exchange }) =>
      `The goods are on their way back${exchange?.return_eta ? ` and due${at(exchange.return_eta)}` : ''}. Confirm when they are there, with your credit note.`,
    buyer: 'When the seller has the goods, all your money goes back to where it came from.',
  },
  ReturnComplete: {
    seller: 'The goods are back and the buyer is refunded. You can relist them.',
    buyer: 'The goods are back with the seller. Your refund is shown below.',
  },
  ExchangeComplete: {
    seller: 'The sale is complete. What is paid out to you is shown below.',
    buyer: 'The sale is complete. Your papers are below.',
  },
  HasAdminIssue: 'Yardbid is looking into this listing. All deadlines stop meanwhile, and money stays where it is.',
  RemovedByAdmin: 'Yardbid has removed this listing. Money that was paid goes back to where it came from.',
}
