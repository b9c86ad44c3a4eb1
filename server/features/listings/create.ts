import type { ListingForm } from '#contract/listing-form.ts'
import { materials } from '#contract/values/materials.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { publicTexts, whyNotPublic } from '#contract/values/contact-details.ts'
import { durationInWords } from '#domain/duration.ts'
import { formatPence } from '#domain/format.ts'
import { decide } from '#domain/sales/listing-machine.ts'
import { LARGEST_PAYMENT, owed } from '#domain/money.ts'
import { addDuration } from '#domain/working-days.ts'
import { readNow } from '#server/db/clock.ts'
import { rowsOf, type Db, type DbOrTx, type Tx } from '#server/db/db.ts'
import { keepUser } from '#server/db/user.ts'
import { defaultAddressOf } from '#server/features/account/public.ts'
import { checkNotBlocked, factsAtSubmit } from '#server/features/sales/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { lockLinkableUploads } from '#server/features/storage/public.ts'
import { accountDeleted, refuse, refuseField } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import type { SessionUser } from '#server/http/session.ts'

/** RULES §4 "submit": the listing begins as Processing; the clock makes it Active. */
export async function createListing(
  db: Db,
  readSetting: ReadSetting,
  { seller, form, remember }: { seller: SessionUser; form: ListingForm; remember: Once<string>['remember'] },
): Promise<string> {
  const decision = decide({ status: null, name: 'submit', actor: 'seller', facts: factsAtSubmit(seller) })
  if ('refused' in decision) throw refuse('forbidden', decision.reason, { code: 'cannot_list' })
  checkTexts(form)
  await checkEnd(db, readSetting, form)
  await checkPrices(db, readSetting, seller, form)

  return db.transaction().execute(async (tx) => {
    if ((await keepUser(tx, seller.id)).isDeleted) throw accountDeleted()
    await checkNotBlocked(rowsOf(tx), seller.id)
    const address = await addressOf(tx, seller.id, form)
    const { id } = await tx
      .insertInto('listings')
      .values({ seller_id: seller.id, ...columnsOf(form), ...address })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('listing_events')
      .values({ listing_id: id, seq: 1, step: 'submit', from_status: null, to_status: decision.to, actor: 'seller', actor_id: seller.id })
      .execute()
    await linkUploads(tx, { sellerId: seller.id, listingId: id, form })
    await remember(tx, id)
    return id
  })
}

export const columnsOf = (form: ListingForm) => ({
  title: form.title,
  description: form.description,
  material_id: form.material_id,
  grade: form.grade,
  ewc_code: form.ewc_code ?? materials[form.material_id].ewc_code,
  condition: form.condition,
  price_basis: form.price_basis,
  weight_kg: form.weight_kg ?? null,
  start_price: form.start_price,
  reservation_price: form.reservation_price ?? null,
  duration_days: form.duration_days ?? null,
  chosen_end: form.expires_at ?? null,
  transfer_method_id: form.transfer_method_id,
  accepts_deferred_payment: form.accepts_deferred_payment,
  extends_on_late_bids: form.extends_on_late_bids,
  seller_invoices: form.seller_invoices,
  serial_numbers: form.serial_numbers,
  source: form.source,
})

/** RULES §3: one of the offered durations, or any end that is neither too soon nor too far. */
export async function checkEnd(db: DbOrTx, readSetting: ReadSetting, { duration_days, expires_at }: ListingForm): Promise<void> {
  if (duration_days !== undefined) {
    const offered = await readSetting(db, 'listing_durations')
    if (!offered.includes(duration_days)) throw refuseField('duration_days', `Choose one of ${offered.join(', ')} days`)
    return
  }
  const now = await readNow(db)
  const end = new Date(expires_at ?? NaN)
  const [least, most] = [await readSetting(db, 'listing_min_duration'), await readSetting(db, 'listing_max_duration')]
  if (end < addDuration(now, least)) throw refuseField('expires_at', tooSoon(least))
  if (end > addDuration(now, most)) throw refuseField('expires_at', `Choose an end at most ${durationInWords(most)} from now`)
}

export const tooSoon = (least: string) => `Choose an end at least ${durationInWords(least)} from now`

/** RULES §9: what everybody reads of a listing gives no contact details away. */
export function checkTexts(form: ListingForm): void {
  const errors: Record<string, string[]> = {}
  for (const field of publicTexts) {
    const why = whyNotPublic(form[field] ?? '')
    if (why) errors[field] = [why]
  }
  const [first] = Object.values(errors).flat()
  if (first) throw refuse('invalid', first, { errors })
}

/** RULES §3.1: refuses a price above the largest payment, and one that rounds to 0p for this weight. */
export async function checkPrices(db: DbOrTx, readSetting: ReadSetting, seller: SessionUser, form: ListingForm): Promise<void> {
  const sale = {
    basis: form.price_basis,
    weight_kg: form.weight_kg ?? null,
    vatRate: await readSetting(db, 'vat_rate'),
    isVatRegistered: !seller.not_vat_registered,
  }
  for (const field of ['start_price', 'reservation_price'] as const) {
    const price = form[field]
    if (price == null) continue
    const { goods, total } = owed(price, sale)
    if (goods === 0) throw refuseField(field, 'For this weight it comes to less than 1p')
    if (total > LARGEST_PAYMENT)
      throw refuseField(field, `With VAT it comes to more than ${formatPence(LARGEST_PAYMENT)}, the most that can be paid`)
  }
}

export async function addressOf(tx: Tx, sellerId: string, { address }: ListingForm) {
  const chosen = address ?? (await defaultAddressOf(tx, sellerId))
  if (!chosen) throw refuseField('address', 'You have no default address yet. Give one here.')
  const { address_line_1, address_line_2, town, county, post_code, latitude, longitude } = chosen
  return { address_line_1, address_line_2, town, county, post_code, latitude, longitude }
}

/** Links the seller's own uploads that are ready, each to one listing only. `had` are those that this listing held before an edit. */
export async function linkUploads(
  tx: Tx,
  { sellerId, listingId, form, had = [] }: { sellerId: string; listingId: string; form: ListingForm; had?: readonly LinkedUpload[] },
): Promise<void> {
  const { media, documents } = form
  for (const [field, ids, kind] of [
    ['media', media, uploadKinds.ListingMedia],
    ['documents', documents, uploadKinds.ListingAsset],
  ] as const) {
    const kept = had.flatMap(({ storage_object_id, upload_kind }) => (upload_kind === kind ? [storage_object_id] : []))
    const added = ids.filter((id) => !kept.includes(id))
    const found = new Set([...kept, ...(await lockLinkableUploads(tx, sellerId, kind, added))])
    if (new Set(ids).size !== ids.length || ids.some((id) => !found.has(id))) {
      throw refuseField(field, 'One of these files is not ready, not yours, or used already. Upload it again.')
    }
  }
  await tx
    .insertInto('listing_media')
    .values([...media, ...documents].map((storage_object_id, nth) => ({ listing_id: listingId, storage_object_id, position: nth + 1 })))
    .execute()
}

type LinkedUpload = { storage_object_id: string; upload_kind: number }
