import type pg from 'pg'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { waitsFor } from '#domain/listings/listing-label.ts'
import { rowsOn } from '#server/db/db.ts'
import { carryOutAfter, carryOutBefore } from '#server/features/sales/effects/executors.ts'
import { stepRows } from '#server/features/sales/effects/executor.ts'
import type { TakenStep } from '#server/features/sales/life/taken-step.ts'
import { enqueueOn, JOBS_CHANNEL } from '#server/jobs/queue.ts'
import { tellOfSteps } from '#server/live/outbox.ts'

/**
 * The one place that writes a listing's status: with it go the event that explains it and what the step does to bids and award. `audit`
 * writes down whose decision it was: after every row that is locked, because it locks the audit log for everybody.
 */
export async function writeSteps(client: pg.ClientBase, taken: readonly TakenStep[], audit?: () => Promise<unknown>): Promise<void> {
  if (taken.length === 0) return
  await carryOutBefore(client, taken)
  await rowsOn(client)(
    `with step as (
       select *
       from ${stepRows}
     ), moved as (
       update listings l
       set status = step."to",
           entered_at = case when step.is_move then step.at else l.entered_at end,
           due_at = case when step.moves_clock then step.due_at else l.due_at end,
           look_again_at = case when step.moves_clock then null else l.look_again_at end,
           clock_left_ms = case
             when step.effects ? 'stop_clocks' then step.clock_left_ms
             when step.effects ? 'resume_clocks' then null
             else l.clock_left_ms
           end,
           -- a released auction goes on for as long as it had left
           expires_at = coalesce(step.resumed_end, l.expires_at),
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
    'write steps',
  )
  await carryOutAfter(client, taken)
  await queueReminders(client, taken)
  if (taken.some(({ tells }) => tells.length > 0)) await client.query(`select pg_notify('${JOBS_CHANNEL}', '')`)
  const published = taken.filter(({ step }) => step === 'ready').map(({ listing_id }) => ({ listing_id }))
  await enqueueOn(client, 'match_saved_searches', published)
  await enqueueOn(client, 'match_preferences', published)
  await enqueueOn(
    client,
    'check_vat_number',
    [
      ...new Set(taken.filter(({ to, is_move }) => is_move && to === 'AwaitingVatNumberVerification').map(({ seller_id }) => seller_id)),
    ].map((user_id) => ({ user_id })),
  )
  await audit?.()
  await tellOfSteps(rowsOn(client), taken)
}

/** RULES §4: reminders come at half of a window, and 24 h before its end if it is longer than 48 h. */
async function queueReminders(client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> {
  const waiting = taken.filter(({ due_at, to, is_move }) => is_move && due_at !== null && isReminded(to))
  if (waiting.length === 0) return
  await client.query(
    `insert into jobs (kind, payload, run_at)
     select 'remind_of_deadline', jsonb_build_object('listing_id', step.listing_id, 'entered_at', to_json(step.at)), moment
     from ${stepRows},
          unnest(array[step.at + (step.due_at - step.at) / 2, case when step.due_at - step.at > interval '48 hours' then step.due_at - interval '24 hours' end])
            as moment
     where moment > step.at`,
    [JSON.stringify(waiting)],
  )
}

const isReminded = (status: ListingStatus) => ['seller', 'buyer', 'both'].includes(waitsFor[status])
