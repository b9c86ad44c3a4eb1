import type pg from 'pg'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { Decision } from '#domain/sales/listing-machine.ts'
import type { Actor, Effect, Told } from '#domain/sales/listing-machine-step.ts'
import { rowsOn } from '#server/db/db.ts'
import { dueAfter, type Life } from '#server/features/sales/facts.ts'
import { effectsOnRows, offerToNextBidder, type EffectOnRows } from '#server/features/sales/step-effects.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { enqueueOn, JOBS_CHANNEL } from '#server/jobs/queue.ts'
import { tellOfSteps } from '#server/live/outbox.ts'

/** A step that the machine has decided on, for a listing whose row is locked. */
export type TakenStep = {
  listing_id: string
  seller_id: string
  step: string
  from: ListingStatus
  to: ListingStatus
  is_move: boolean
  at: Date
  /** When time does something to it next. */
  due_at: Date | null
  actor: Actor
  actor_id: string | null
  effects: readonly Effect[]
  tells: readonly Told[]
  /** The buyer, or the bidder an offer was made to, when the step was taken. */
  buyer_id: string | null
  /** Whom the step makes an offer to. */
  offered_to: string | null
  /** What came with it, such as a reason. */
  details: Readonly<Record<string, unknown>>
}

type Taker = Pick<TakenStep, 'actor' | 'actor_id'> & { details?: TakenStep['details'] }

export async function takenStep(life: Life, step: string, decision: Decision, taker: Taker, read: SettingReader): Promise<TakenStep> {
  const { row, facts, nextBidderId } = life
  const { to, isMove, effects, tells } = decision
  return {
    listing_id: row.id,
    seller_id: row.seller_id,
    step,
    from: row.status,
    to,
    is_move: isMove,
    at: facts.now,
    due_at: isMove ? await dueAfter(to, life, read) : null,
    actor: taker.actor,
    actor_id: taker.actor_id,
    effects,
    tells,
    buyer_id: concerned(row, effects),
    offered_to: offeredTo(effects, row.leader_id, nextBidderId),
    details: taker.details ?? {},
  }
}

function concerned({ leader_id, buyer_id, missed_buyer_id }: Life['row'], effects: readonly Effect[]): string | null {
  if (effects.includes('freeze_winner')) return leader_id
  return effects.includes('reinstate_bid') ? missed_buyer_id : buyer_id
}

function offeredTo(effects: readonly Effect[], leaderId: string | null, nextBidderId: string | null): string | null {
  if (effects.includes('offer_at_reservation_price')) return leaderId
  return effects.includes('offer_to_next_bidder') ? nextBidderId : null
}

/** The one place that writes a listing's status: with it go the event that explains it and what the step does to bids and award. */
export async function writeSteps(client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> {
  if (taken.length === 0) return
  // an Active listing has an end: it is set before the status says so
  await carryOut(client, taken, 'set_end')
  await client.query(
    `with step as (
       select *
       from jsonb_to_recordset($1::jsonb) as s (listing_id uuid, step text, "from" text, "to" text, is_move boolean, at timestamptz, due_at timestamptz,
         actor text, actor_id uuid, effects jsonb, tells jsonb, buyer_id uuid, offered_to uuid, details jsonb)
     ), moved as (
       update listings l
       set status = step."to",
           entered_at = case when step.is_move then step.at else l.entered_at end,
           due_at = case when step.is_move then step.due_at else l.due_at end,
           former_status = case when step.effects ? 'keep_former_status' then step."from" else l.former_status end,
           can_offer_at_reservation_price = case
             when step.effects ? 'allow_reservation_offer' then true
             when step.effects ? 'clear_reservation_offer' then false
             else l.can_offer_at_reservation_price
           end,
           reservation_waived = l.reservation_waived or step.effects ? 'waive_reservation',
           reservation_price = case
             when step.effects ? 'lower_reservation_price' then (step.details ->> 'reservation_price')::int
             else l.reservation_price
           end,
           notes = case
             when step.effects ? 'add_note' then l.notes || jsonb_build_array(jsonb_build_object('text', step.details -> 'text', 'at', step.at))
             else l.notes
           end,
           withdrawal_reason = case when step.step = 'withdraw' then step.details ->> 'reason' else l.withdrawal_reason end,
           kyc_status = case
             when step.effects ? 'kyc_pending' then 'pending'
             when step.effects ? 'kyc_verified' then 'verified'
             when step.effects ? 'kyc_failed' then 'failed'
             else l.kyc_status
           end
       from step
       where l.id = step.listing_id
     ), written as (
       insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id, details)
       select step.listing_id,
              coalesce((select max(seq) from listing_events e where e.listing_id = step.listing_id), 0) + 1,
              step.step, step."from", step."to", step.actor, step.actor_id,
              step.details || jsonb_strip_nulls(jsonb_build_object('effects', step.effects, 'tells', step.tells, 'buyer_id', step.buyer_id, 'offered_to', step.offered_to))
       from step
       returning id, listing_id
     )
     insert into jobs (kind, payload)
     select 'tell_of_step', jsonb_build_object('event_id', written.id::text)
     from written
     join step using (listing_id)
     where step.tells <> '[]'`,
    [JSON.stringify(taken)],
  )
  for (const effect of inOrder) await carryOut(client, taken, effect)
  await makeOffers(client, taken)
  if (taken.some(({ tells }) => tells.length > 0)) await client.query(`select pg_notify('${JOBS_CHANNEL}', '')`)
  await enqueueOn(
    client,
    'match_saved_searches',
    taken.filter(({ step }) => step === 'ready').map(({ listing_id }) => ({ listing_id })),
  )
  await enqueueOn(
    client,
    'check_vat_number',
    [
      ...new Set(taken.filter(({ to, is_move }) => is_move && to === 'AwaitingVatNumberVerification').map(({ seller_id }) => seller_id)),
    ].map((user_id) => ({ user_id })),
  )
  await tellOfSteps(rowsOn(client), taken)
}

// whoever had the listing lets go of it before another gets it: one award is open, and one bid has won
const inOrder = [
  'freeze_winner',
  'win_bid',
  'miss_bid',
  'close_buyers_bid',
  'close_bids',
  'close_losing_bids',
  'offer_at_reservation_price',
  'reinstate_bid',
  'keep_vat_reference',
] as const satisfies readonly EffectOnRows[]

async function carryOut(client: pg.ClientBase, taken: readonly TakenStep[], effect: EffectOnRows): Promise<void> {
  const ids = taken.flatMap(({ listing_id, effects }) => (effects.includes(effect) ? [listing_id] : []))
  if (ids.length === 0) return
  for (const text of effectsOnRows[effect]) await client.query(text, [ids])
}

async function makeOffers(client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> {
  const offers = taken.filter(({ effects }) => effects.includes('offer_to_next_bidder'))
  if (offers.length === 0) return
  const pairs = [offers.map(({ listing_id }) => listing_id), offers.map(({ offered_to }) => offered_to)]
  for (const text of offerToNextBidder) await client.query(text, pairs)
}
