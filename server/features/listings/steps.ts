import type pg from 'pg'
import type { ListingStatus } from '#contract/listing-status.ts'
import type { Actor, Effect } from '#domain/listing-machine-step.ts'
import { enqueueOn } from '#server/jobs/queue.ts'

/** A step that the machine has decided on, for a listing whose row is locked. */
export type TakenStep = {
  listing_id: string
  step: string
  from: ListingStatus
  to: ListingStatus
  actor: Actor
  actor_id: string | null
  effects: readonly Effect[]
}

/** The one place that writes a listing's status: with it go the event that explains it and what the step does to bids and award. */
export async function writeSteps(client: pg.ClientBase, taken: readonly TakenStep[]): Promise<void> {
  if (taken.length === 0) return
  // an Active listing has an end: it is set before the status says so
  await carryOut(client, taken, 'set_end')
  await client.query(
    `with step as (
       select *
       from jsonb_to_recordset($1::jsonb) as s (listing_id uuid, step text, "from" text, "to" text, actor text, actor_id uuid, effects jsonb)
     ), moved as (
       update listings l
       set status = step."to",
           can_offer_at_reservation_price = case
             when step.effects ? 'allow_reservation_offer' then true
             when step.effects ? 'clear_reservation_offer' then false
             else l.can_offer_at_reservation_price
           end,
           kyc_status = case
             when step.effects ? 'kyc_pending' then 'pending'
             when step.effects ? 'kyc_verified' then 'verified'
             when step.effects ? 'kyc_failed' then 'failed'
             else l.kyc_status
           end
       from step
       where l.id = step.listing_id
     )
     insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id, details)
     select step.listing_id,
            coalesce((select max(seq) from listing_events e where e.listing_id = step.listing_id), 0) + 1,
            step.step, step."from", step."to", step.actor, step.actor_id, jsonb_build_object('effects', step.effects)
     from step`,
    [JSON.stringify(taken)],
  )
  for (const effect of ['freeze_winner', 'win_bid', 'close_bids'] as const) await carryOut(client, taken, effect)
  await enqueueOn(
    client,
    'match_saved_searches',
    taken.filter(({ step }) => step === 'ready').map(({ listing_id }) => ({ listing_id })),
  )
}

async function carryOut(client: pg.ClientBase, taken: readonly TakenStep[], effect: keyof typeof effectsOnRows): Promise<void> {
  const ids = taken.flatMap(({ listing_id, effects }) => (effects.includes(effect) ? [listing_id] : []))
  if (ids.length > 0) await client.query(effectsOnRows[effect], [ids])
}

const effectsOnRows = {
  // to the millisecond, which is what the server's clock can compare
  set_end: `
    update listings l
    set starts_at = began, expires_at = ends, first_expires_at = ends
    from (
      select id, began, date_trunc('milliseconds', coalesce(chosen_end, began + make_interval(days => duration_days))) as ends
      from listings, (select app_now() as began) as clock
      where id = any($1::uuid[])
    ) as t
    where t.id = l.id`,
  // from the locked row, never from a snapshot that is older than the lock
  freeze_winner: `
    insert into awards (listing_id, bidder_id, bid_id, price, status)
    select id, leader_id, leading_bid_id, current_price, 'pending_payment'
    from listings
    where id = any($1::uuid[])`,
  win_bid: `
    update bid_standings s
    set status = 'Won'
    from listings l
    where l.id = any($1::uuid[]) and s.listing_id = l.id and s.bidder_id = l.leader_id`,
  close_bids: `
    update bid_standings
    set status = 'Closed'
    where listing_id = any($1::uuid[]) and status in ('Active', 'Outbid', 'OfferedToYou', 'OfferedToYouAtReservationPrice')`,
} satisfies Partial<Record<Effect, string>>
