import { sql } from 'kysely'
import type { EnquiryForm } from '#contract/market/enquiries.ts'
import { whyNotPublic } from '#contract/values/contact-details.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import { whyNotEditEnquiry } from '#domain/market/deal-rules.ts'
import { mapSpot, type Spot } from '#domain/search/uk-map.ts'
import { addDuration } from '#domain/working-days.ts'
import { readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { keepUser } from '#server/db/user.ts'
import { defaultAddressOf } from '#server/features/account/public.ts'
import { lockEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { planEnd } from '#server/features/market/enquiries/life.ts'
import { announceEnquiry } from '#server/features/market/records/news.ts'
import { districtOf } from '#server/features/search/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { dropUploads, lockLinkableUploads } from '#server/features/storage/public.ts'
import { accountDeleted, notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import type { SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

type Posting = { db: Db; readSetting: ReadSetting }

/** Posts an enquiry. Whom it matches is found by a job, so that the poster does not wait for thousands of rows. */
export async function postEnquiry(
  { db, readSetting }: Posting,
  { poster, form, remember }: { poster: SessionUser; form: EnquiryForm; remember: Once<string>['remember'] },
): Promise<string> {
  checkTexts(form)
  if (poster.email_verified_at === null)
    throw refuse('forbidden', 'Confirm your email first: we sent you a link.', { code: 'email_not_verified' })
  return db.transaction().execute(async (tx) => {
    if ((await keepUser(tx, poster.id)).isDeleted) throw accountDeleted()
    const place = await placeOf(tx, poster.id, form)
    const ends_at = addDuration(await readNow(tx), await readSetting(tx, 'enquiry_lifetime'))
    const { id } = await tx
      .insertInto('enquiries')
      .values({ poster_id: poster.id, ...columnsOf(form), ...place, ends_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await linkPhotos(tx, { posterId: poster.id, enquiryId: id, media: form.media, had: [] })
    await planEnd(tx, id, ends_at)
    await enqueue(tx, 'match_enquiry', { enquiry_id: id })
    await remember(tx, id)
    await announceEnquiry(tx, id)
    return id
  })
}

/** Until the first offer. Members whom the changed enquiry matches are told, each once. */
export async function editEnquiry({ db }: Posting, poster: SessionUser, id: string, form: EnquiryForm): Promise<void> {
  checkTexts(form)
  await db.transaction().execute(async (tx) => {
    const enquiry = await lockEnquiry(tx, id)
    if (enquiry?.poster_id !== poster.id) throw notFound()
    const why = whyNotEditEnquiry(enquiry, await readNow(tx))
    if (why) throw refuse('conflict', why, { code: 'enquiry_not_editable' })
    const place = await placeOf(tx, poster.id, form)
    await tx
      .updateTable('enquiries')
      .set({ ...columnsOf(form), ...place })
      .where('id', '=', enquiry.id)
      .execute()
    const had = await tx.deleteFrom('enquiry_media').where('enquiry_id', '=', enquiry.id).returning('storage_object_id').execute()
    const kept = had.map(({ storage_object_id }) => storage_object_id)
    await linkPhotos(tx, { posterId: poster.id, enquiryId: enquiry.id, media: form.media, had: kept })
    await dropUploads(
      tx,
      kept.filter((each) => !form.media.includes(each)),
    )
    await enqueue(tx, 'match_enquiry', { enquiry_id: enquiry.id })
    await announceEnquiry(tx, enquiry.id)
  })
}

const columnsOf = ({ title, description, material_id, weight_kg, available_from }: EnquiryForm) => ({
  title,
  description,
  material_id,
  weight_kg: weight_kg ?? null,
  available_from: available_from == null ? null : dayOf(available_from),
})

const dayOf = (given: string) => (given.length === 'yyyy-mm-dd'.length ? given : formatIsoDay(new Date(given)))

/** RULES §9: what everybody reads gives no contact details away. */
function checkTexts(form: EnquiryForm): void {
  const errors: Record<string, string[]> = {}
  for (const field of ['title', 'description'] as const) {
    const why = whyNotPublic(form[field], 'Contact details are shown to both sides when a deal is agreed.')
    if (why) errors[field] = [why]
  }
  const [first] = Object.values(errors).flat()
  if (first) throw refuse('invalid', first, { errors })
}

/** The address, and where everybody sees it: the centre of its postcode district. */
async function placeOf(tx: Tx, posterId: string, { address }: EnquiryForm) {
  const chosen = address ?? (await defaultAddressOf(tx, posterId))
  if (!chosen) throw refuseField('address', 'You have no default address yet. Give one here.')
  const { address_line_1, address_line_2, town, county, post_code, latitude, longitude } = chosen
  const district = districtOf(post_code)
  // a district that the list does not have yet: to about six miles
  const centre = district ?? { outcode: post_code.split(' ')[0] ?? '', latitude: tenth(latitude), longitude: tenth(longitude) }
  const { x, y } = mapSpot(centre.latitude, centre.longitude)
  return {
    address_line_1,
    address_line_2,
    town,
    county,
    post_code,
    latitude,
    longitude,
    district: centre.outcode,
    district_latitude: centre.latitude,
    district_longitude: centre.longitude,
    spot: sql<Spot>`point(${x}::float8, ${y}::float8)`,
  }
}

const tenth = (degrees: number) => Math.round(degrees * 10) / 10

type Photos = { posterId: string; enquiryId: string; media: readonly string[]; had: readonly string[] }

async function linkPhotos(tx: Tx, { posterId, enquiryId, media, had }: Photos): Promise<void> {
  const added = media.filter((id) => !had.includes(id))
  const found = new Set([...had, ...(await lockLinkableUploads(tx, posterId, uploadKinds.ListingMedia, added))])
  if (new Set(media).size !== media.length || media.some((id) => !found.has(id)))
    throw refuseField('media', 'One of these photos is not ready, not yours, or used already. Upload it again.')
  if (media.length === 0) return
  await tx
    .insertInto('enquiry_media')
    .values(media.map((storage_object_id, nth) => ({ enquiry_id: enquiryId, storage_object_id, position: nth + 1 })))
    .execute()
}
