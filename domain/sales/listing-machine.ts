import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { Actor, Branch, Clock, Destination, Effect, Field, ListingFacts, Step, Told } from '#domain/sales/listing-machine-step.ts'
import { GATE } from '#domain/sales/listing-machine-guards.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'

// Decides by the table of RULES §4 (listing-machine-table.ts) what a step does to a listing, and to whom it is open.

/** `isMove`: the status is entered, even where it is the one before; else only an event is written. */
export type Decision = { to: ListingStatus; isMove: boolean; effects: readonly Effect[]; tells: readonly Told[] }
/** 'conflict' is the 409 of API.md, 'not_yours' its 404. */
export type Refused = { refused: 'conflict' | 'not_yours'; reason: string }
export type AvailableAction = { action: string; label: string; fields: readonly Field[] }

/** Null: there is no listing yet. */
type Status = ListingStatus | null

const NOT_HERE = 'This is not possible where the listing stands now.'
const NOT_YOURS = 'This is not yours to do.'
const TOO_EARLY = 'It is not time for this yet.'
const TOO_LATE = 'The time for this has run out.'

export function decide({
  status,
  name,
  actor,
  facts,
}: {
  status: Status
  name: string
  actor: Actor
  facts: ListingFacts
}): Decision | Refused {
  const step = findStep(status, name, actor)
  if (!step) {
    const isAnothers = stepsFrom(status).some((other) => other.name === name)
    return isAnothers ? { refused: 'not_yours', reason: NOT_YOURS } : { refused: 'conflict', reason: NOT_HERE }
  }
  const answer = isOpen(step, status, actor, facts)
  if (answer !== true) return { refused: 'conflict', reason: answer }

  const branch = branchesOf(step).find(({ when }) => when?.(facts, actor) ?? true)
  const to = branch && settled(branch.to, status)
  if (!branch || !to) return { refused: 'conflict', reason: NOT_HERE }
  return { to, isMove: branch.to !== 'unchanged', effects: union(step.effects, branch.effects), tells: union(step.tells, branch.tells) }
}

/** What `decide` would let this actor do, with the forms to do it. */
export function availableActions(status: Status, actor: Actor, facts: ListingFacts): AvailableAction[] {
  return stepsFrom(status)
    .filter((step) => step.by.includes(actor) && isOpen(step, status, actor, facts) === true)
    .flatMap((step) => (step.label === undefined ? [] : [{ action: step.name, label: step.label, fields: fieldsOf(step, facts) }]))
}

/** What a step asks for, where the listing stands now. */
export const fieldsOf = ({ fields = [] }: Step, facts: ListingFacts): readonly Field[] =>
  typeof fields === 'function' ? fields(facts) : fields

/** RULES §4 GATE: where a listing with a winner goes. */
export function gate(facts: ListingFacts): ListingStatus {
  return GATE.find(({ when }) => when?.(facts, 'time') ?? true)?.to ?? 'PendingPayment'
}

export const stepsFrom = (status: Status) => stepsByStatus.get(status) ?? []

export const findStep = (status: Status, name: string, actor: Actor) =>
  stepsFrom(status).find((step) => step.name === name && step.by.includes(actor))

/** For the closer: what time does to a listing in this status, and the clocks that say when. No clock: as soon as the guard holds. */
export const timeStepsFrom = (status: ListingStatus): { name: string; clocks: readonly Clock[] }[] =>
  stepsFrom(status)
    .filter(({ by }) => by.includes('time'))
    .map(({ name, after = [] }) => ({ name, clocks: after }))

/** The clocks that run in a status, by step; `isWithin`: a step that is open until then, rather than due. */
export const clocksOf = (status: ListingStatus, facts: ListingFacts): { step: string; clock: Clock; isWithin: boolean }[] =>
  stepsFrom(status).flatMap(({ name, after, within }) => {
    const clock = within ?? after?.find(({ when }) => when?.(facts) ?? true)
    return clock ? [{ step: name, clock, isWithin: within !== undefined }] : []
  })

const stepsByStatus = new Map(
  steps.flatMap(({ from }) => from).map((status) => [status, steps.filter((step) => step.from.includes(status))]),
)

export const branchesOf = ({ to }: Step): readonly Branch[] => (typeof to === 'string' ? [{ to }] : to)

function isOpen(step: Step, status: Status, actor: Actor, facts: ListingFacts): true | string {
  if (step.after && !hasRunOut(step, facts)) return TOO_EARLY
  if (step.within && !isStillRunning(step, facts)) return TOO_LATE
  if (isParty(actor) && isOvertaken(status, facts)) return TOO_LATE
  return step.guard?.(facts, actor) ?? true
}

/**
 * Only the database's clock decides: what it has ended is no longer open to the parties, whether or not the closer has come round.
 * The provider's word still counts, for the money is there.
 */
const isOvertaken = (status: Status, facts: ListingFacts) =>
  stepsFrom(status).some((step) => step.after && step.to !== 'unchanged' && hasRunOut(step, facts))

const isParty = (actor: Actor) => actor === 'seller' || actor === 'buyer'

function hasRunOut({ name }: Step, { due_at, now }: ListingFacts): boolean {
  const due = due_at[name]
  return due !== undefined && now.getTime() >= due.getTime()
}

function isStillRunning({ name }: Step, { due_at, now }: ListingFacts): boolean {
  const due = due_at[name]
  return due !== undefined && now.getTime() < due.getTime()
}

const settled = (to: Destination, status: Status) => (to === 'unchanged' ? status : to)

const union = <T>(some: readonly T[] = [], more: readonly T[] = []): readonly T[] => [...new Set([...some, ...more])]
