import type { AvailableAction } from '#contract/listings.ts'

// Which of the actions that a listing offers comes first: lists and pages show the same one as the next step.

/** What goes on with the sale before the rest: where several do, in this order. */
const first = ['offer_to_next_bidder', 'confirm_handover', 'accept_goods', 'dispatch_return']

/** Open to a party and never waited for: the sale goes on without them. */
const aside = new Set([
  'add_note',
  'lower_reservation_price',
  'use_deferred_terms',
  'reschedule',
  'report_no_show',
  'report_not_arrived',
  'request_amend',
  'start_return',
  'escalate',
  'reject_amend',
  'withdraw_amend',
  'cancel_return',
  'contest_return',
  'dispute_return',
])

/** Ends something or gives it away, and is asked for twice. */
const destructive = new Set([
  'withdraw',
  'decline_offer',
  'withdraw_offer',
  'cancel_by_agreement',
  'cancel_sale',
  'reject_amend',
  'withdraw_amend',
  'contest_return',
  'dispute_return',
])

export const isDestructive = ({ action }: Pick<AvailableAction, 'action'>): boolean => destructive.has(action)

/** What goes on comes before what is aside, and that before what ends something. */
export const inOrder = (actions: readonly AvailableAction[]): AvailableAction[] =>
  actions.toSorted((one, other) => rankOf(one) - rankOf(other))

/** The one that is waited for when it is the viewer's turn. */
export const nextAction = (actions: readonly AvailableAction[]): AvailableAction | undefined =>
  inOrder(actions).find((action) => !aside.has(action.action) && !isDestructive(action))

function rankOf(action: AvailableAction): number {
  const place = first.indexOf(action.action)
  if (place >= 0) return place - first.length
  if (isDestructive(action)) return 2
  return aside.has(action.action) ? 1 : 0
}
