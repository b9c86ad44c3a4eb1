import type pg from 'pg'
import { publicTexts, whyNotPublic } from '#contract/values/contact-details.ts'
import { blocked } from '#domain/sales/blocked.ts'
import { addDuration } from '#domain/working-days.ts'
import { rowsOn, type ReadRows } from '#server/db/db.ts'
import type { ActionInput } from '#server/features/sales/action-fields.ts'
import type { Life } from '#server/features/sales/life/facts.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { refuse, refuseField } from '#server/http/errors.ts'

type PublicTexts = Record<(typeof publicTexts)[number], string | null>

/** RULES §9, also for a listing from before a text like its own was refused. */
async function checkTexts(client: pg.ClientBase, id: string): Promise<void> {
  const { rows } = await client.query<PublicTexts>(`select ${publicTexts.join(', ')} from listings where id = $1`, [id])
  for (const text of publicTexts) {
    const why = whyNotPublic(rows[0]?.[text] ?? '')
    if (why) throw refuse('conflict', `This listing cannot be copied because of its ${text}. ${why} Make a new listing instead.`)
  }
}

const DAYS_IF_THE_END_IS_OVER = 7

/** Copies a listing with its photos and documents into a new one, which is Processing. Answers its id. */
export async function relist(client: pg.ClientBase, { row, facts }: Life, given: ActionInput, read: SettingReader): Promise<string> {
  await checkNotBlocked(rowsOn(client), row.seller_id)
  const days = given['duration_days'] as number | undefined
  const offered = await read('listing_durations')
  if (days !== undefined && !offered.includes(days)) throw refuseField('duration_days', `Choose one of ${offered.join(', ')} days`)
  const soonest = addDuration(facts.now, await read('listing_min_duration'))
  await checkTexts(client, row.id)
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

/** RULES §4: a seller's strikes stop listing, and so does what the seller owes of an earlier sale. */
export async function checkNotBlocked(rows: ReadRows, sellerId: string): Promise<void> {
  const [seller] = await rows<{ reason: string | null }>(
    `select coalesce(
       listing_blocked_reason,
       case when exists (select from seller_payouts p where p.seller_id = u.id and p.receivable > 0) then $2 end
     ) as reason
     from users u
     where id = $1`,
    [sellerId, blocked.owesUs],
  )
  if (seller?.reason) throw refuse('conflict', seller.reason, { code: 'listing_blocked' })
}
