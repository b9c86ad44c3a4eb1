import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { SettingKey } from '#contract/settings.ts'
import type { TransferMethodId } from '#contract/values/transfer-method.ts'

// What a row of RULES §4 is made of (the rows: listing-machine-table.ts).

/** S, B, A, T, P and X of RULES §4. The buyer is the winner, or the bidder an offer is made to. */
export const actors = ['seller', 'buyer', 'admin', 'time', 'provider', 'vat_check'] as const
export type Actor = (typeof actors)[number]

export type Told = 'seller' | 'buyer' | 'bidders' | 'admin' | 'matching_users'

export type Step = {
  name: string
  /** Null: there is no listing yet. */
  from: readonly (ListingStatus | null)[]
  by: readonly Actor[]
  /** On the button, for steps that people take. */
  label?: string
  /** A time step is due when this has passed; of several clocks the first whose `when` holds counts. */
  after?: readonly Clock[]
  /** Open to people only until this has passed. */
  within?: Clock
  /** True, or what to tell who asked. Looks at where the listing stands, never at what was sent with the step. */
  guard?: (facts: ListingFacts, actor: Actor) => true | string
  to: Destination | readonly Branch[]
  effects?: readonly Effect[]
  tells?: readonly Told[]
  fields?: readonly Field[] | ((facts: ListingFacts) => readonly Field[])
  /** What the server compares in the fields that were sent; a miss is a 422 under that field. */
  checks?: readonly Check[]
}

/** 'unchanged': an event is written and the status stays. */
export type Destination = ListingStatus | 'unchanged'

/** The first branch whose `when` holds is taken; its effects and its told come on top of the step's. */
export type Branch = {
  when?: (facts: ListingFacts, actor: Actor) => boolean
  to: Destination
  effects?: readonly Effect[]
  tells?: readonly Told[]
}

/** Without a setting the moment itself counts. */
export type Clock = { setting: SettingKey | null; since: Moment; when?: (facts: ListingFacts) => boolean }

export type Moment =
  | 'entered' // this status was entered
  | 'ended' // the bidding ended
  | 'offered' // the standing offer was made: a second offer in NextBidder has its own time
  | 'received' // the goods; an amend or a return stops this clock
  | 'rejected' // the last amend
  | 'expires_at'
  | 'slot'
  | 'eta'
  | 'return_eta'
  | 'deferred_expires_at'

export type Field = {
  name: string
  type: 'text' | 'number' | 'money' | 'datetime' | 'boolean' | 'choice' | 'code' | 'document' | 'documents' | 'amend_lines'
  required: boolean
  /** A storage object kind of SPEC §3. */
  kind?: number
  options?: readonly string[]
  /** Characters of a text, files of documents, pence of money. */
  max?: number
}

/** What happens with a step, in its transaction; outside calls are queued there. Each is carried out by the server under this name. */
export const effects = [
  'check_media',
  'set_end',
  'copy_into_new_listing',
  'add_note',
  'lower_reservation_price',
  'start_over', // a restored listing: no winner, no end
  // clocks: an issue stops that of the status, an amend or a return that of the inspection
  'keep_former_status',
  'stop_clocks',
  'resume_clocks', // a clock that had run out gets its whole time again, or a released listing would be back at once
  'start_inspection_clock',
  'stop_inspection_clock',
  'resume_inspection_clock',
  'start_answer_clock',
  // bids
  'freeze_winner',
  'win_bid',
  'offer_at_reservation_price',
  'offer_to_next_bidder',
  'close_buyers_bid', // that of the winner, or of the bidder an offer was made to
  'close_losing_bids',
  'close_bids',
  'miss_bid',
  'reinstate_bid',
  'allow_reservation_offer',
  'clear_reservation_offer',
  'waive_reservation',
  'note_agreement',
  // checks
  'kyc_pending',
  'kyc_verified',
  'kyc_failed',
  'keep_vat_reference',
  // money
  'authorise_holding_fee',
  'release_hold',
  'capture_holding_fee',
  'start_payment',
  'end_payment',
  'refund_all',
  'refund_amount',
  'refund_difference',
  'pay_out',
  'stop_payout',
  'resume_payout',
  'resume_refund', // of a sale that was undone while its money was charged back
  'hear_dispute',
  'use_deferred_limit',
  'start_deferred_payment',
  'block_bidding',
  'allow_bidding',
  'strike_buyer',
  'strike_seller',
  // goods
  'show_addresses',
  'handover_code',
  'set_slot',
  'set_eta',
  'keep_vehicle',
  'keep_weight',
  'keep_hazards',
  'request_amend',
  'approve_amend',
  'reject_amend',
  'withdraw_amend',
  'start_return',
  'set_return_eta',
  // papers
  'issue_invoice',
  'credit_invoice',
  'issue_supplementary_invoice',
  'issue_credit_note',
  'issue_return_credit_note',
  'draft_waste_note',
  'complete_waste_note',
  'write_records',
  'complete_records',
  'write_return_records',
] as const
export type Effect = (typeof effects)[number]

export type Check =
  | 'total_as_computed' // a stated total equals what the server computed
  | 'difference_as_computed' // the same for what an amend has changed
  | 'weight_with_ticket'
  | 'code_matches' // the six digits that the buyer was given
  | 'ticket_or_weigh_at_buyer'
  | 'vat_number_or_not_registered'
  | 'lines_change_the_price'
  | 'reservation_is_waived'
  | 'no_contact_details' // RULES §9: in what others read
  | 'reservation_is_lower' // than it was, and no lower than the start price
  | 'moment_in_future'
  | 'hazards_are_codes' // HP 1 to HP 15, of which hazardous waste has some

export type Resolution = 'refund_all' | 'refund_amount' | 'complete' | 'expire'

/** Where a listing stands, read under its lock, with the database's clock. Amounts in pence. */
export type ListingFacts = {
  now: Date
  /** By the name of the step: when its `after` or `within` runs out. Only running clocks are in it. */
  due_at: Readonly<Partial<Record<string, Date>>>

  may_create: boolean
  email_confirmed: boolean
  account_completed: boolean
  form_complete: boolean
  media: 'checking' | 'fine' | 'flagged'

  bid_count: number
  reservation_price: number | null
  /** The leading bid is at or over the reservation price, or there is none to meet. */
  reservation_met: boolean
  /** `expires_at` less `withdraw_before`; null before the end is set. */
  withdraw_until: Date | null
  can_offer_at_reservation_price: boolean
  leader_suspended: boolean
  /** A copy of it was listed. */
  relisted: boolean

  /** By its EWC code: a consignment note goes with it. */
  is_hazardous: boolean
  buyer_verified: boolean
  seller_verified: boolean
  /** The seller's number: found valid or not needed, not yet checked, or not in the register. */
  vat: 'settled' | 'unchecked' | 'failed'
  seller_invoices: boolean

  /** The highest bidder who was not offered the listing yet and may still bid. */
  next_bidder: 'none' | 'meets_reservation' | 'below_reservation'
  reservation_waived: boolean
  offers_made: number
  offer_depth: number
  /** Somebody has missed the payment: a sale that failed before it was due leaves nobody to reinstate. */
  has_missed_buyer: boolean
  /** This buyer, after a missed payment. */
  reinstated: boolean
  cancel_agreed_by: 'seller' | 'buyer' | null

  /** Captured less refunded, for this sale. */
  paid: number
  /** Still to pay now, after what the provider has just reported. */
  due: number
  /** A payment that is open or that the provider is still working on, and that the clock waits for. */
  payment_under_way: boolean
  balance_of: 'first_payment' | 'amend'
  deferred: boolean
  deferred_granted: boolean
  deferred_limit_free: boolean
  accepts_deferred_payment: boolean
  overdue: boolean
  /** What became of a chargeback, until a step has told of it. */
  dispute: 'opened' | 'won' | 'lost' | null
  dispute_open: boolean

  transfer_method_id: TransferMethodId
  /** Where the goods are scrap. */
  buyer_licensed: boolean
  slot: Date | null
  eta: Date | null
  reschedules: number

  amends_requested: number
  amend_rejected: boolean
  amend_weight_only: boolean
  /** Per cent off the listed weight, and `amend_tolerance`. */
  amend_weight_off: number
  amend_tolerance: number
  amend_has_ticket: boolean
  /** What the amend adds to the price; below zero it lowers it. */
  amend_difference: number
  returns_started: number

  former_status: ListingStatus | null
  /** What the admin sent with `resolve`. */
  resolution: Resolution
}
