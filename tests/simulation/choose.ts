import type { ListingStatus } from '#contract/values/listing-status.ts'
import { stepsFrom } from '#domain/sales/listing-machine.ts'
import type { Actor, Step } from '#domain/sales/listing-machine-step.ts'
import { finalStatuses } from '#domain/sales/listing-machine-table.ts'
import type { Coverage } from '#tests/simulation/coverage.ts'
import { towards, type Goal, type Theme } from '#tests/simulation/goals.ts'
import type { Random } from '#tests/support/random.ts'

// Which step of the table a simulation tries next: any, but mostly what brings a deal forward, and what was seldom taken.

export type Wish = { name: string; actor: Actor }

const forward: readonly string[] = [
  'end_sold',
  'offer_to_highest_bidder',
  'offer_to_next_bidder',
  'use_deferred_terms',
  'accept_offer',
  'kyc_verified',
  'correct_vat_number',
  'upload_invoice',
  'paid',
  'submit_documents',
  'dispatch',
  'confirm_handover',
  'confirm_received',
  'accept_goods',
  'request_amend',
  'approve_amend',
  'upload_credit_note',
  'upload_supplementary_invoice',
  'dispatch_return',
  'confirm_return',
]
/** Forward at the end of a simulation: nothing new is begun. */
const onlyBegins: readonly string[] = ['request_amend']

const FORWARD = 8
const SELDOM = 4
/** What nobody has done yet comes before everything else. */
const NEVER = 24
const ELSE = 1
const SELDOM_BELOW = 3

export const isEnd = (status: ListingStatus): boolean => status === 'Expired' || finalStatuses.includes(status)

const toTheGoods = {
  PendingPayment: ['paid'],
  DocumentsRequired: ['submit_documents', 'dispatch'],
  PendingCollection: ['confirm_handover'],
  Dispatched: ['confirm_received'],
} as const

/** What the players of a theme mostly do. */
const leanings: Partial<Record<Theme, Partial<Record<ListingStatus, readonly string[]>>>> = {
  amend: { ...toTheGoods, ReceivedGoods: ['request_amend'] },
  quarrel: { ...toTheGoods, ReceivedGoods: ['request_amend', 'escalate'], ReviewAmend: ['reject_amend'] },
  return: { ...toTheGoods, ReceivedGoods: ['start_return'], ReturnStarted: ['dispatch_return'], ReturnDispatched: ['confirm_return'] },
  overdue: { ...toTheGoods, PendingPayment: ['use_deferred_terms'], ReceivedGoods: ['accept_goods'], DeferredPayment: ['stay_overdue'] },
  deferred: { PendingPayment: ['use_deferred_terms'] },
  next_bidder: { PendingPayment: ['miss_payment'], MissedPayment: ['offer_to_next_bidder'] },
  below_reservation: { Active: ['end_below_reservation'], Expired: ['offer_to_highest_bidder'] },
  media: { Active: ['remove'], RemovedByAdmin: ['restore'] },
}
const LEANING_IN_TEN = 6

function leaning(theme: Theme, status: ListingStatus, random: Random): Wish | undefined {
  const names = leanings[theme]?.[status]
  if (!names || random.between(1, 10) > LEANING_IN_TEN) return undefined
  const name = random.oneOf(names)
  const actor = stepsFrom(status).find((step) => step.name === name)?.by[0]
  return actor && { name, actor }
}

export type Choice = {
  status: ListingStatus
  theme: Theme
  goal: Goal | null
  /** The steps that the deal has taken. */
  taken: readonly string[]
  /** How many wishes of this turn nobody could grant. */
  tries: number
  coverage: Coverage
  random: Random
  isClosing: boolean
}

// the other turns are left to chance: a way that is closed must not keep a deal for ever
const LED_IN_TEN = 8

/** 'wait' when a deal is led to a step that is not open yet. */
export function chooseWish(choice: Choice): Wish | 'wait' | undefined {
  const { status, theme, goal, coverage, random, isClosing } = choice
  const led = goal && !isClosing ? leadTo(goal, choice) : undefined
  if (led) return led
  const first = isClosing ? undefined : leaning(theme, status, random)
  if (first) return first
  const wishes = stepsFrom(status).flatMap((step) =>
    step.by.map((actor) => ({ name: step.name, actor, weight: weightOf(step, actor, status) })),
  )
  function weightOf(step: Step, actor: Actor, from: ListingStatus): number {
    const isForward = forward.includes(step.name)
    if (isClosing) return isForward && !onlyBegins.includes(step.name) ? FORWARD : actor === 'time' || closes(step.name, from) ? ELSE : 0
    const taken = coverage.rows.get(step) ?? 0
    if (taken === 0) return NEVER
    return isForward ? FORWARD : taken < SELDOM_BELOW ? SELDOM : ELSE
  }
  const total = wishes.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return undefined
  let left = random.between(1, total)
  return wishes.find(({ weight }) => (left -= weight) <= 0)
}

function leadTo(goal: Goal, { status, taken, tries, random }: Choice): Wish | 'wait' | undefined {
  const { rows, isStop } = towards(goal, status, taken)
  if (rows.length === 0 || random.between(1, 10) > LED_IN_TEN) return undefined
  // of several ways one may be open where another is not
  if (tries > 0 && (isStop || rows.length === 1)) return 'wait'
  const row = random.oneOf(rows)
  return { name: row.name, actor: random.oneOf<Actor>(row.by) }
}

const closes = (name: string, from: ListingStatus) => from === 'HasAdminIssue' && (name === 'resolve' || name === 'release')
