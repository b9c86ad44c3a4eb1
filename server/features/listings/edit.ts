import type { ListingForm } from '#contract/listing-form.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { whyNotEdit } from '#domain/listings/may-edit.ts'
import { addDuration } from '#domain/working-days.ts'
import { readNow } from '#server/db/clock.ts'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { addressOf, checkEnd, checkPrices, checkTexts, columnsOf, linkUploads, tooSoon } from '#server/features/listings/create.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { tellOfSteps } from '#server/live/outbox.ts'
import { notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { isUuid } from '#server/http/uuid.ts'

/** RULES §3: before the first bid the owner may change everything. The row lock decides between an edit and a first bid. */
export async function editListing(db: Db, readSetting: ReadSetting, seller: SessionUser, id: string, form: ListingForm): Promise<void> {
  if (!isUuid(id)) throw notFound()
  checkTexts(form)
  await db.transaction().execute(async (tx) => {
    const listing = await tx
      .selectFrom('listings')
      .select(['id', 'status', 'bid_count', 'starts_at', 'expires_at', 'duration_days', 'chosen_end'])
      .where('id', '=', id)
      .where('seller_id', '=', seller.id)
      .forUpdate()
      .executeTakeFirst()
    if (!listing) throw notFound()
    const now = await readNow(tx)
    const status = listing.status as ListingStatus
    const why = whyNotEdit({ ...listing, status }, now)
    if (why) throw refuse('conflict', why)

    await checkPrices(tx, readSetting, seller, form)
    const end = await newEnd(tx, readSetting, listing, form, now)
    const address = await addressOf(tx, seller.id, form)
    await tx
      .updateTable('listings')
      .set({ ...columnsOf(form), ...address, ...end })
      .where('id', '=', id)
      .execute()
    await linkUploads(tx, { sellerId: seller.id, listingId: id, form, had: await unlinkAll(tx, id) })
    await tellOfSteps(rowsOf(tx), [{ listing_id: id, from: status, to: status, effects: [] }])
  })
}

const unlinkAll = (tx: Tx, listingId: string) =>
  tx
    .deleteFrom('listing_media')
    .using('storage_objects')
    .whereRef('storage_objects.id', '=', 'listing_media.storage_object_id')
    .where('listing_id', '=', listingId)
    .returning(['storage_object_id', 'upload_kind'])
    .execute()

type RunningListing = { starts_at: Date | null; expires_at: Date | null; duration_days: number | null; chosen_end: Date | null }

/** Keeps an unchanged end. A new one counts from the start, and is at least the shortest duration away. */
async function newEnd(tx: Tx, readSetting: ReadSetting, listing: RunningListing, form: ListingForm, now: Date) {
  const isAsBefore =
    form.duration_days === undefined
      ? new Date(form.expires_at ?? NaN).getTime() === (listing.chosen_end ?? listing.expires_at)?.getTime()
      : form.duration_days === listing.duration_days
  if (isAsBefore) return { duration_days: listing.duration_days, chosen_end: listing.chosen_end }

  await checkEnd(tx, readSetting, form)
  if (!listing.starts_at) return {}
  const end = form.duration_days === undefined ? new Date(form.expires_at ?? NaN) : addDuration(listing.starts_at, `${form.duration_days}d`)
  const least = await readSetting(tx, 'listing_min_duration')
  if (end < addDuration(now, least)) throw refuseField(form.duration_days === undefined ? 'expires_at' : 'duration_days', tooSoon(least))
  const expires_at = new Date(end.getTime())
  return { expires_at, first_expires_at: expires_at }
}
