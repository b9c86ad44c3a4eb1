import { bySql, stepRows, type Executor } from '#server/features/sales/effects/executor.ts'

// What steps do to the exchange of the goods, to amends and to returns.

/** Sets columns of the exchange of a step's award. */
const exchange = (columns: string) =>
  bySql(
    `update exchanges x
     set ${columns}
     from ${stepRows}
     where x.award_id = step.award_id`,
  )

/** Of the amend that waits for an answer. */
const decideAmend = (status: 'approved' | 'rejected' | 'withdrawn') =>
  `update amends m
   set status = '${status}', decided_at = step.at
   from ${stepRows}
   where m.award_id = step.award_id and m.status = 'requested'`

export const goodsEffects = {
  // paid, or bought on terms: from now on there is something to exchange
  show_addresses: bySql(
    `update awards a
     set status = 'paid', paid_at = coalesce(a.paid_at, step.at)
     from ${stepRows}
     where a.id = step.award_id`,
    `insert into exchanges (award_id)
     select step.award_id
     from ${stepRows}
     on conflict do nothing`,
  ),
  handover_code: exchange('handover_code = step.handover_code'),
  set_slot: exchange(
    `slot = (step.details ->> 'slot')::timestamptz, reschedules = x.reschedules + case when step.step = 'reschedule' then 1 else 0 end`,
  ),
  set_eta: exchange(`eta = (step.details ->> 'eta')::timestamptz, vehicle = step.details ->> 'vehicle'`),
  keep_vehicle: exchange(`vehicle = step.details ->> 'vehicle'`),
  keep_weight: exchange(
    `weigh_at_buyer = x.weigh_at_buyer or coalesce((step.details ->> 'weigh_at_buyer')::boolean, false),
     seller_weight_kg = case when step.actor = 'seller' then coalesce((step.details ->> 'ticket_weight_kg')::int, x.seller_weight_kg) else x.seller_weight_kg end,
     buyer_weight_kg = case when step.actor = 'buyer' then coalesce((step.details ->> 'ticket_weight_kg')::int, x.buyer_weight_kg) else x.buyer_weight_kg end`,
  ),
  keep_hazards: exchange(`hazard_properties = step.details ->> 'hazard_properties'`),
  start_inspection_clock: bySql(
    `update exchanges x
     set received_at = step.at, handover_code = null
     from ${stepRows}
     where x.award_id = step.award_id`,
    `delete from handover_tries where award_id in (select award_id from ${stepRows})`,
  ),
  stop_inspection_clock: exchange('inspection_left_ms = step.inspection_left_ms'),
  resume_inspection_clock: exchange('inspection_left_ms = null'),
  start_answer_clock: exchange('rejected_at = step.at, inspection_left_ms = null'),
  start_return: exchange(`returns_started = x.returns_started + 1, return_reason = step.details ->> 'reason'`),
  set_return_eta: exchange(`return_eta = (step.details ->> 'eta')::timestamptz`),
  request_amend: bySql(
    `insert into amends (award_id, nth, lines, goods, vat, total, difference, weight_only, weight_off, has_ticket)
     select step.award_id, (select count(*) from amends m where m.award_id = step.award_id) + 1, step.amend -> 'lines', found.goods, found.vat, found.total,
            found.difference, found.weight_only, least(found.weight_off, 99999), found.has_ticket
     from ${stepRows}, jsonb_to_record(step.amend) as found (goods int, vat int, total int, difference int, weight_only boolean, weight_off numeric,
       has_ticket boolean)`,
  ),
  approve_amend: bySql(
    `update awards a
     set goods = m.goods, vat = m.vat, total = m.total
     from ${stepRows}
     join amends m on m.award_id = step.award_id and m.status = 'requested'
     where a.id = step.award_id`,
    decideAmend('approved'),
  ),
  reject_amend: bySql(decideAmend('rejected')),
  withdraw_amend: bySql(decideAmend('withdrawn')),
} satisfies Record<string, Executor>
