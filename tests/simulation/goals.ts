import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods, type TransferMethodId } from '#contract/values/transfer-method.ts'
import { branchesOf, stepsFrom } from '#domain/sales/listing-machine.ts'
import type { Step } from '#domain/sales/listing-machine-step.ts'
import { steps, type StepName } from '#domain/sales/listing-machine-table.ts'
import type { Coverage } from '#tests/simulation/coverage.ts'
import type { Random } from '#tests/support/random.ts'

// A deal may have a goal: a row of the table that was seldom taken. The deal is led towards it by the shortest way through the table, so
// that a few hundred deals take every row.

type Row = (typeof steps)[number]
export type Goal = { row: Row; stops: readonly (readonly Row[])[] }
export type Theme = (typeof themes)[number]

/** What is special about a deal, so that every row of the table can come up. */
export const themes = [
  'plain',
  'next_bidder',
  'below_reservation',
  'vat',
  'kyc_buyer',
  'invoice',
  'overdue',
  'amend',
  'no_bid',
  'kyc_seller',
  'suspended',
  'return',
  'deferred',
  'media',
  'plain',
  'quarrel',
  'return',
  'below_reservation',
  'quarrel',
] as const

/** Steps that a deal must have taken before the row is open to it, where the status alone does not say so. */
const firstOf: Partial<Record<StepName, readonly StepName[]>> = {
  escalate: ['reject_amend'],
  dispute_opened: ['paid'],
  dispute_won: ['paid', 'dispute_opened'],
  dispute_lost: ['paid', 'dispute_opened'],
  restore: ['remove'],
  flag: ['remove', 'restore'],
  get_stuck: ['remove', 'restore'],
  become_overdue: ['use_deferred_terms'],
  stay_overdue: ['use_deferred_terms'],
}

/** The row that was taken least, with those on their way to it counted. */
export function chooseGoal(coverage: Coverage, onTheirWay: readonly Goal[], random: Random): Goal {
  const score = (row: Row) => (coverage.rows.get(row) ?? 0) + onTheirWay.filter((goal) => goal.row === row).length
  const least = Math.min(...steps.map(score))
  const row = random.oneOf(steps.filter((each) => score(each) === least))
  const before = firstOf[row.name] ?? []
  return { row, stops: [...before.map((name) => steps.filter((step) => step.name === name)), [row]] }
}

/** How a step that was taken is told of: its name, and the status before it. */
const takenAs = (name: string, from: string | null): string => `${name} ${from ?? ''}`

const isTaken = (row: Row, taken: readonly string[]) => row.from.some((from) => taken.includes(takenAs(row.name, from)))

/** The rows that come next on the way to the goal; none when it is reached, or when no way leads there. */
export function towards({ stops }: Goal, status: ListingStatus, taken: readonly string[]): { rows: readonly Row[]; isStop: boolean } {
  const stop = stops.find((rows) => !rows.some((row) => isTaken(row, taken)))
  if (!stop) return { rows: [], isStop: false }
  const here = stop.filter((row) => row.from.some((from) => from === status))
  if (here.length > 0) return { rows: here, isStop: true }
  const distances = distancesTo(stop.flatMap(({ from }) => from))
  const own = distances.get(status)
  if (own === undefined) return { rows: [], isStop: false }
  const rows = stepsFrom(status).filter((step) => isRoad(step) && nextStatuses(step).some((next) => distances.get(next) === own - 1))
  return { rows, isStop: false }
}

/** Detours: by these no deal is led anywhere, they are goals at most. */
const detours: readonly string[] = [
  'raise_issue',
  'release',
  'resolve',
  'remove',
  'restore',
  'relist',
  'withdraw',
  'cancel_sale',
  'cancel_by_agreement',
  'use_deferred_terms',
  'dispute_opened',
]

const isRoad = ({ name }: Step) => !detours.includes(name)

const nextStatuses = (step: Step): ListingStatus[] => branchesOf(step).flatMap(({ to }) => (to === 'unchanged' ? [] : [to]))

const known = new Map<string, Map<ListingStatus, number>>()

/** How many steps each status is away from the nearest of these. */
function distancesTo(ends: readonly (ListingStatus | null)[]): Map<ListingStatus, number> {
  const key = ends.join()
  const found = known.get(key) ?? new Map(ends.flatMap((end) => (end === null ? [] : [[end, 0] as const])))
  if (known.has(key)) return found
  for (let distance = 1, grown = -1; found.size > grown; distance++) {
    grown = found.size
    for (const step of steps.filter(isRoad)) {
      if (!nextStatuses(step).some((next) => found.get(next) === distance - 1)) continue
      for (const from of step.from) if (from !== null && !found.has(from)) found.set(from, distance)
    }
  }
  known.set(key, found)
  return found
}

const themeOfStatus: Partial<Record<ListingStatus, readonly Theme[]>> = {
  ReservationPrice: ['below_reservation'],
  NextBidder: ['next_bidder'],
  MissedPayment: ['next_bidder'],
  AwaitingKYC: ['kyc_buyer', 'kyc_seller'],
  AwaitingVatNumberVerification: ['vat'],
  InvoiceRequired: ['invoice'],
  DeferredPayment: ['overdue'],
}
const themeOfStep: Partial<Record<StepName, readonly Theme[]>> = {
  end_below_reservation: ['below_reservation'],
  lower_reservation_price: ['below_reservation'],
  offer_to_highest_bidder: ['below_reservation'],
  withdraw: ['no_bid'],
  end_without_bid: ['no_bid'],
  restore: ['media'],
  flag: ['media'],
  get_stuck: ['media'],
  use_deferred_terms: ['deferred'],
}

/** What must be special about a deal that is to take this row. */
export function themeFor({ row }: Goal, random: Random): Theme {
  const [only] = row.from
  const byStatus = row.from.length === 1 && only ? themeOfStatus[only] : undefined
  return random.oneOf(themeOfStep[row.name] ?? byStatus ?? (['plain'] as const))
}

export function transferFor({ row }: Goal): TransferMethodId | undefined {
  if (row.name === 'dispatch' || row.from.some((from) => from === 'Dispatched')) return transferMethods.Delivery
  if (row.name === 'submit_documents' || row.from.every((from) => from === 'PendingCollection')) return transferMethods.Collection
  return undefined
}

/** Only what was paid by card can be charged back. */
export const needsCard = ({ row }: Goal): boolean => row.name.startsWith('dispute_') && row.by.some((actor) => actor === 'provider')
