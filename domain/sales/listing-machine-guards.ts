import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import type { Actor, Branch, ListingFacts } from '#domain/sales/listing-machine-step.ts'

// The conditions of RULES §4. A guard answers true, or what to tell the merchant who asked.

type Guard = (facts: ListingFacts, actor: Actor) => true | string

const MOST_RESCHEDULES = 2
const MOST_AMENDS = 2

/** True when the test holds, else the reason. */
const unless =
  (holds: (facts: ListingFacts, actor: Actor) => boolean, reason: string): Guard =>
  (facts, actor) =>
    holds(facts, actor) || reason

/** The first reason counts. */
const all =
  (...guards: Guard[]): Guard =>
  (facts, actor) => {
    const reasons = guards.map((guard) => guard(facts, actor))
    return reasons.find((reason) => reason !== true) ?? true
  }

const isAfter = (moment: Date | null, { now }: ListingFacts) => moment !== null && now.getTime() > moment.getTime()
const isBefore = (moment: Date | null, { now }: ListingFacts) => moment !== null && now.getTime() < moment.getTime()

const mayCreate = all(
  unless((facts) => facts.may_create, 'Your plan does not let you list. Change your plan under Account, Subscriptions.'),
  unless(
    (facts) => facts.email_confirmed,
    'Confirm your email address first: open the link that we sent to you, or have it sent again in your account.',
  ),
  unless((facts) => facts.account_completed, 'Finish your payment account first, so that you can be paid.'),
)
export const canCreate = all(
  mayCreate,
  unless((facts) => facts.form_complete, 'The listing is not complete yet. Fill in what is missing.'),
)

export const isMediaFine = unless((facts) => facts.media === 'fine', 'The photos and videos are not checked yet.')
export const isMediaFlagged = unless((facts) => facts.media === 'flagged', 'Nothing was found in the photos and videos.')

/** RULES §3: free before the first bid; after it only early, and while nobody has met the reservation price. */
export const canWithdraw: Guard = (facts) => {
  if (facts.bid_count === 0) return true
  if (facts.reservation_met) return 'A bid has met your price, so the listing can no longer be withdrawn.'
  return isBefore(facts.withdraw_until, facts) || 'The listing has bids and ends soon, so it can no longer be withdrawn.'
}

const hasBid = (reason: string) => unless((facts) => facts.bid_count > 0, reason)
/** RULES §3: what is left to the owner after the first bid; before it everything can be edited. */
export const canAddNote = hasBid('Nobody has bid yet: edit the listing instead.')
export const canLowerReservationPrice = all(
  hasBid('Nobody has bid yet: edit the listing instead.'),
  unless((facts) => facts.reservation_price !== null, 'This listing has no reservation price.'),
  unless((facts) => !facts.reservation_met, 'A bid has met your reservation price already.'),
)

export const hasNoBid = unless((facts) => facts.bid_count === 0, 'The listing has bids.')
export const isBelowReservation = unless(
  (facts) => facts.bid_count > 0 && !facts.reservation_met,
  'The listing has no bid below its reservation price.',
)
export const isSold = unless((facts) => facts.bid_count > 0 && facts.reservation_met, 'No bid has met the reservation price.')

export const canOfferAtReservationPrice = unless(
  (facts) => facts.can_offer_at_reservation_price,
  'There is no bid left to offer this listing to. You can relist it.',
)

export const canRelist = all(
  unless((facts) => !facts.relisted, 'You have relisted this already. You find the new listing among your own.'),
  mayCreate,
)

export const areBothVerified = unless(
  (facts) => facts.buyer_verified && facts.seller_verified,
  'Both payment accounts have to be verified first.',
)
export const isVatSettled = unless((facts) => facts.vat === 'settled', 'The VAT number is still not valid.')

/** The seller may waive the reservation price when he makes the offer: then the form asks for it. */
export const canOfferToNextBidder = all(
  unless((facts) => facts.next_bidder !== 'none', 'There is no other bidder to offer this to. You can relist it.'),
  unless((facts) => facts.offers_made < facts.offer_depth, 'This listing was offered to as many bidders as it can be. You can relist it.'),
)

/** Without the seller's word: a bid below the reservation price only if he has waived it before. */
export const hasNextBidder = (facts: ListingFacts): boolean =>
  canOfferToNextBidder(facts, 'time') === true && (facts.next_bidder === 'meets_reservation' || facts.reservation_waived)

export const canReinstate = all(
  unless((facts) => facts.has_missed_buyer, 'No buyer has missed the payment of this listing.'),
  unless((facts) => !facts.reinstated, 'This buyer has already had a second chance.'),
)
export const isReinstated = (facts: ListingFacts): boolean => facts.reinstated

export const isPaidInFull = unless((facts) => facts.due <= 0, 'The payment does not cover what is due.')
export const isPaidShort = unless((facts) => facts.due > 0 && facts.paid > 0, 'Nothing is missing from the payment.')

export const canUseDeferredTerms = all(
  unless((facts) => facts.accepts_deferred_payment, 'The seller wants to be paid before the exchange.'),
  unless((facts) => facts.deferred_granted, 'You have no terms to pay later. Contact us to ask for them.'),
  unless((facts) => facts.deferred_limit_free, 'This would go over your limit for paying later. Pay what is open first, or pay now.'),
)

export const hasNotAgreed = unless(
  (facts, actor) => facts.cancel_agreed_by !== actor,
  'You have agreed to cancel. The sale ends when the other side agrees too.',
)
export const hasOtherSideAgreed = (facts: ListingFacts, actor: Actor): boolean =>
  facts.cancel_agreed_by !== null && facts.cancel_agreed_by !== actor

const isCollection = unless(
  (facts) => facts.transfer_method_id === transferMethods.Collection,
  'This sale is delivered: dispatch it instead.',
)
const isDelivery = unless(
  (facts) => facts.transfer_method_id === transferMethods.Delivery,
  'This sale is collected: send its documents and a slot instead.',
)

/** RULES §4: scrap is handed over only to somebody whose licence is valid at that moment. */
export const isBuyerLicensed = unless(
  (facts) => facts.buyer_licensed,
  'The buyer’s scrap metal licence is not valid now. The goods can be handed over once it is.',
)
export const canSendDocuments = all(isCollection, isBuyerLicensed)
export const canDispatch = all(isDelivery, isBuyerLicensed)

export const canReschedule = unless(
  (facts) => facts.reschedules < MOST_RESCHEDULES,
  'The slot was moved twice already. Speak to the other side, or contact us for help.',
)
export const isPastSlot = unless((facts) => isAfter(facts.slot, facts), 'The collection slot is not over yet.')
export const isPastEta = unless((facts) => isAfter(facts.eta, facts), 'The goods are not due yet.')

export const canRequestAmend = unless((facts) => facts.amends_requested < MOST_AMENDS, 'You can ask for an amend twice at most.')
export const canStartReturn = unless((facts) => facts.returns_started === 0, 'A return can be started only once.')
export const canEscalate = unless((facts) => facts.amend_rejected, 'You can ask us to step in once the seller has rejected an amend.')

export const isAmendSmall = (facts: ListingFacts): boolean =>
  facts.amend_weight_only && facts.amend_weight_off <= facts.amend_tolerance && facts.amend_has_ticket
export const hasPriceGoneUp = (facts: ListingFacts): boolean => facts.amend_difference > 0
export const isCreditNoteDue = unless((facts) => facts.amend_difference < 0, 'The price did not go down: no credit note is needed.')
export const isInvoiceDue = unless(hasPriceGoneUp, 'The price did not go up: no further invoice is needed.')

export const isDeferred = (facts: ListingFacts): boolean => facts.deferred
export const isFirstPayment = (facts: ListingFacts): boolean => facts.balance_of === 'first_payment'

export const isNotYetOverdue = unless((facts) => !facts.overdue, 'The payment is already marked as overdue.')

/** A transfer or a card payment that the provider is still working on may arrive in time: the clock waits for its outcome. */
export const hasNoPaymentUnderWay = unless((facts) => !facts.payment_under_way, 'A payment is on its way.')

export const isLeaderSuspended = (facts: ListingFacts): boolean => facts.leader_suspended

export const isDisputeNew = unless((facts) => facts.dispute === 'opened', 'No chargeback was opened.')
export const isDisputeWon = unless((facts) => facts.dispute === 'won', 'No chargeback was won.')
export const isDisputeLost = unless((facts) => facts.dispute === 'lost', 'No chargeback was lost.')

export const canRestore = unless((facts) => facts.bid_count === 0, 'This listing had bids: its seller can relist it as a copy.')

const isRefund = ({ resolution }: ListingFacts) => resolution === 'refund_all' || resolution === 'refund_amount'
export const canResolve = all(
  unless((facts) => !(isRefund(facts) && facts.dispute_open), 'A chargeback is open: nothing can be refunded until it is decided.'),
  unless((facts) => facts.resolution === 'expire' || hasSale(facts), 'Nothing was paid for this listing: it can only expire.'),
  unless(
    (facts) => facts.resolution !== 'refund_amount' || facts.due <= 0 || facts.balance_of === 'amend',
    'The buyer has not paid in full yet, so there is no part to keep: refund everything, or let the sale expire.',
  ),
  unless(
    (facts) => facts.resolution !== 'complete' || facts.due <= 0,
    'The buyer has not paid everything yet, so the sale cannot be completed.',
  ),
)
/** Nothing can be refunded or completed where no sale was paid, or given on terms. */
export const hasSale = (facts: ListingFacts): boolean => facts.paid > 0 || facts.deferred
export const canRelease = all(
  unless((facts) => facts.former_status !== null, 'It is not known where this listing stood. Resolve it instead.'),
  unless((facts) => !facts.dispute_open, 'A chargeback is open: the sale can be released once it is decided.'),
)

/** RULES §4 GATE, first match. */
export const GATE: readonly (Branch & { to: ListingStatus })[] = [
  {
    when: (facts) => !facts.buyer_verified || !facts.seller_verified,
    to: 'AwaitingKYC',
    effects: ['kyc_pending'],
    tells: ['seller', 'buyer'],
  },
  { when: (facts) => facts.vat === 'failed', to: 'AwaitingVatNumberVerification', effects: ['kyc_verified'], tells: ['seller', 'buyer'] },
  { when: (facts) => facts.seller_invoices, to: 'InvoiceRequired', effects: ['kyc_verified'], tells: ['seller', 'buyer'] },
  { to: 'PendingPayment', effects: ['kyc_verified', 'authorise_holding_fee'], tells: ['seller', 'buyer'] },
]
