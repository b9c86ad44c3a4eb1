import type { ListingStatus } from '#contract/values/listing-status.ts'
import { clocksOf } from '#domain/sales/listing-machine.ts'
import type { Clock, Effect, ListingFacts, Moment } from '#domain/sales/listing-machine-step.ts'
import { addDuration } from '#domain/working-days.ts'
import type { LifeRow } from '#server/features/sales/life/life-rows.ts'
import type { SettingReader } from '#server/features/settings/public.ts'

// When time does something to a listing. A deadline that somebody was given is stored when the status is entered (`due_at`), and does
// not move with a setting. An issue stops the clock of the status, an amend or a return that of the inspection; both go on later.

export const timeOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

/** When each clock of the status runs out: as stored when the status was entered, or, for a window in which people may act, by the setting of now. */
export async function dueTimes(row: LifeRow, facts: ListingFacts, read: SettingReader): Promise<Record<string, Date>> {
  const due: Record<string, Date> = {}
  for (const { step, clock, isWithin } of runningClocks(row.status, facts)) {
    const isSet = row.due_at !== null && !isWithin && row.status !== 'Active'
    const at = isSet ? row.due_at : await runsOut(clock, momentsOf(row), read)
    if (at) due[step] = at
  }
  return due
}

export type Entering = { to: ListingStatus; effects: readonly Effect[]; details: Readonly<Record<string, unknown>> }

/** When time next does something to a listing that a step brings into this status now. The end of an Active one is its own column. */
export async function dueAfter(
  { to, effects, details }: Entering,
  { row, facts }: { row: LifeRow; facts: ListingFacts },
  read: SettingReader,
): Promise<Date | null> {
  if (to === 'Active') return null
  const has = (effect: Effect) => effects.includes(effect)
  const after = (ms: number) => new Date(facts.now.getTime() + ms)
  if (has('resume_inspection_clock')) return after(row.exchange?.inspection_left_ms ?? 0)
  if (has('resume_clocks') && (row.clock_left_ms ?? 0) > 0) return after(row.clock_left_ms ?? 0)
  const moments = has('resume_clocks') ? allAt(facts.now) : { ...momentsOf(row), ...momentsBy(effects, details, facts, row) }
  const clocks = runningClocks(to, factsAfter(effects, facts)).filter(({ isWithin }) => !isWithin)
  const times: number[] = []
  for (const { clock } of clocks) times.push((await runsOut(clock, moments, read))?.getTime() ?? Infinity)
  const first = Math.min(...times)
  return Number.isFinite(first) ? new Date(first) : null
}

/** Steps that leave the status and yet move its clock. */
const movingClocks: readonly Effect[] = ['set_slot', 'block_bidding']

export const movesClock = (effects: readonly Effect[]): boolean => effects.some((effect) => movingClocks.includes(effect))

function factsAfter(effects: readonly Effect[], facts: ListingFacts): ListingFacts {
  return {
    ...facts,
    reinstated: effects.includes('reinstate_bid') || facts.reinstated,
    amend_rejected: effects.includes('reject_amend') || facts.amend_rejected,
    overdue: effects.includes('block_bidding') || facts.overdue,
  }
}

const runningClocks = (status: ListingStatus, facts: ListingFacts) =>
  clocksOf(status, facts).filter(({ clock }) => clock.since !== 'ended' || facts.can_offer_at_reservation_price)

type Moments = Partial<Record<Moment, Date | null>>

/** The moments that clocks count from. An offer begins when its status was entered; bidding ended at `expires_at`. */
const momentsOf = ({ entered_at, expires_at, exchange, award }: LifeRow): Moments => ({
  entered: entered_at,
  offered: entered_at,
  ended: expires_at,
  expires_at,
  received: timeOf(exchange?.received_at),
  rejected: timeOf(exchange?.rejected_at),
  slot: timeOf(exchange?.slot),
  eta: timeOf(exchange?.eta),
  return_eta: timeOf(exchange?.return_eta),
  deferred_expires_at: timeOf(award?.deferred_expires_at),
})

/** What the step itself sets. */
function momentsBy(effects: readonly Effect[], details: Entering['details'], { now }: ListingFacts, row: LifeRow): Moments {
  const given = (effect: Effect, name: string) => (effects.includes(effect) && details[name] instanceof Date ? details[name] : undefined)
  const slot = given('set_slot', 'slot')
  const eta = given('set_eta', 'eta')
  const return_eta = given('set_return_eta', 'eta')
  return {
    entered: now,
    offered: now,
    ...(slot && { slot }),
    ...(eta && { eta }),
    ...(return_eta && { return_eta }),
    ...(effects.includes('start_inspection_clock') && { received: now }),
    ...(effects.includes('reject_amend') && { rejected: now }),
    ...(effects.includes('start_deferred_payment') && { deferred_expires_at: deferredEnd(now, row) }),
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** RULES §4: entering DeferredPayment + the granted days. */
export const deferredEnd = (now: Date, { award }: LifeRow): Date => new Date(now.getTime() + (award?.deferred_days ?? 0) * DAY_MS)

const allAt = (now: Date): Moments => ({
  entered: now,
  offered: now,
  received: now,
  rejected: now,
  slot: now,
  eta: now,
  return_eta: now,
  deferred_expires_at: now,
})

async function runsOut({ setting, since }: Clock, moments: Moments, read: SettingReader): Promise<Date | undefined> {
  const moment = moments[since]
  if (!moment) return undefined
  if (setting === null) return moment
  const duration = await read(setting)
  if (typeof duration !== 'string') throw new Error(`${setting} is no duration`)
  return addDuration(moment, duration)
}
