import type pg from 'pg'
import { addDuration } from '#domain/working-days.ts'
import type { ActionInput } from '#server/features/sales/action-fields.ts'
import type { Life } from '#server/features/sales/facts.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { refuseField } from '#server/http/errors.ts'

const DAYS_IF_THE_END_IS_OVER = 7

/** Copies a listing with its photos and documents into a new one, which is Processing. Answers its id. */
export async function relist(client: pg.ClientBase, { row, facts }: Life, given: ActionInput, read: SettingReader): Promise<string> {
  const days = given['duration_days'] as number | undefined
  const offered = await read('listing_durations')
  if (days !== undefined && !offered.includes(days)) throw refuseField('duration_days', `Choose one of ${offered.join(', ')} days`)
  const soonest = addDuration(facts.now, await read('listing_min_duration'))
  const { rows } = await client.query<{ id: string }>(
    `insert into listings (seller_id, title, description, material_id, grade, ewc_code, condition, price_basis, weight_kg, start_price, reservation_price,
       transfer_method_id, accepts_deferred_payment, extends_on_late_bids, seller_invoices, serial_numbers, source,
       address_line_1, address_line_2, town, county, post_code, latitude, longitude, relisted_from, duration_days, chosen_end)
     select seller_id, title, description, material_id, grade, ewc_code, condition, price_basis, weight_kg, start_price, reservation_price,
       transfer_method_id, accepts_deferred_payment, extends_on_late_bids, seller_invoices, serial_numbers, source,
       address_line_1, address_line_2, town, county, post_code, latitude, longitude, id,
       coalesce($2, duration_days, case when chosen_end < $3 then ${DAYS_IF_THE_END_IS_OVER} end),
       case when $2::int is null and chosen_end >= $3 then chosen_end end
     from listings
     where id = $1
     returning id`,
    [row.id, days ?? null, soonest],
  )
  const id = rows[0]?.id ?? ''
  await client.query(
    `insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id)
     values ($1, 1, 'submit', null, 'Processing', 'seller', $2)`,
    [id, row.seller_id],
  )
  await client.query(
    `insert into listing_media (listing_id, storage_object_id, position)
     select $2, storage_object_id, position
     from listing_media
     where listing_id = $1`,
    [row.id, id],
  )
  return id
}
