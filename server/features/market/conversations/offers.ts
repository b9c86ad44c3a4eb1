import { sql } from 'kysely'
import type { OfferForm } from '#contract/market/conversations.ts'
import { whyNotAnswer, whyNotOpen, whyNotWithdraw } from '#domain/market/deal-rules.ts'
import { now, readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { keepUser } from '#server/db/user.ts'
import {
  findOffer,
  lockConversation,
  openConversation,
  type LockedConversation,
  type OfferRow,
} from '#server/features/market/records/conversation-rows.ts'
import { appendMessage, lockForSender, refuseBlocked } from '#server/features/market/conversations/send.ts'
import { lockEnquiry, type LockedEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { announceEnquiry, refreshConversations, tellAgreed, tellAnswer, tellOffer } from '#server/features/market/records/news.ts'
import { accountDeleted, notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import type { SessionUser } from '#server/http/session.ts'

// Everything here locks the enquiry first, then the conversation: of two who decide at once, the second sees what the first decided.

type Offering = { maker: SessionUser; form: OfferForm; remember: Once<string>['remember'] }

/** Grab the deal: an offer in the member's own conversation about the enquiry. Answers the offer's id. */
export function makeOffer(db: Db, enquiryId: string, { maker, form, remember }: Offering): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const enquiry = await lockForSender(tx, enquiryId, maker)
    const conversation = await openConversation(tx, enquiry, maker.id)
    return writeOffer(tx, { enquiry, conversation, maker, form, remember })
  })
}

/** An answer to the other side's offer, which stays open: each side may accept the other's latest. */
export function counterOffer(db: Db, offerId: string, { maker, form, remember }: Offering): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { enquiry, conversation, offer } = await lockForOffer(tx, maker.id, offerId)
    await refuseBlocked(tx, conversation)
    const why = whyNotAnswer({ status: offer.status, isOwn: offer.maker_id === maker.id }, enquiry, await readNow(tx))
    if (why) throw refuse('conflict', why, { code: 'offer_not_open' })
    return writeOffer(tx, { enquiry, conversation, maker, form, remember })
  })
}

type Writing = Offering & { enquiry: LockedEnquiry; conversation: LockedConversation }

async function writeOffer(tx: Tx, { enquiry, conversation, maker, form, remember }: Writing): Promise<string> {
  const collect_at = await readCollection(tx, form.collect_at)
  const body = form.message ?? ''
  await tx
    .updateTable('enquiry_offers')
    .set({ status: 'replaced', decided_at: now })
    .where('conversation_id', '=', conversation.id)
    .where('maker_id', '=', maker.id)
    .where('status', '=', 'open')
    .execute()
  const offer = (await tx
    .insertInto('enquiry_offers')
    .values({ enquiry_id: enquiry.id, conversation_id: conversation.id, maker_id: maker.id, price: form.price, collect_at })
    .returningAll()
    .executeTakeFirstOrThrow()) as unknown as OfferRow
  await tx
    .updateTable('enquiries')
    .set({ offer_count: sql<number>`offer_count + 1` })
    .where('id', '=', enquiry.id)
    .execute()
  await appendMessage(tx, conversation, { senderId: maker.id, body, offerId: offer.id })
  await remember(tx, offer.id)
  await tellOffer(tx, { conversation, enquiry, fromId: maker.id, from: maker.company_name }, { offer, body })
  await refreshConversations(tx, conversation)
  return offer.id
}

/** A day alone is its noon: the two agree on the hour. */
async function readCollection(tx: Tx, given: string | null | undefined): Promise<Date | null> {
  if (given == null) return null
  const at = new Date(given.length === 'yyyy-mm-dd'.length ? `${given}T12:00:00Z` : given)
  if (at.getTime() < (await readNow(tx)).getTime() - DAY_MS) throw refuseField('collect_at', 'Choose a day that is not over')
  return at
}

const DAY_MS = 86_400_000

/** The enquiry is agreed with this conversation's member, and closed for all others. Exactly one offer of an enquiry can be accepted. */
export async function acceptOffer(db: Db, user: SessionUser, offerId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { enquiry, conversation, offer } = await lockForOffer(tx, user.id, offerId)
    if ((await keepUser(tx, user.id)).isDeleted) throw accountDeleted()
    await refuseBlocked(tx, conversation)
    const why = whyNotAnswer({ status: offer.status, isOwn: offer.maker_id === user.id }, enquiry, await readNow(tx))
    if (why) throw refuse('conflict', why, { code: enquiry.status === 'open' ? 'offer_not_open' : 'enquiry_closed' })
    const other = await tx
      .selectFrom('users')
      .select(['deleted_at', 'suspended_at'])
      .where('id', '=', offer.maker_id)
      .executeTakeFirstOrThrow()
    if (other.deleted_at || other.suspended_at)
      throw refuse('conflict', 'The member who made this offer has left. Choose another offer.', { code: 'member_left' })

    await decide(tx, offer.id, 'accepted')
    await tx
      .updateTable('enquiry_offers')
      .set({ status: 'closed', decided_at: now })
      .where('enquiry_id', '=', enquiry.id)
      .where('status', '=', 'open')
      .execute()
    await tx.updateTable('enquiries').set({ status: 'agreed' }).where('id', '=', enquiry.id).execute()
    await tx
      .insertInto('enquiry_deals')
      .values({
        enquiry_id: enquiry.id,
        offer_id: offer.id,
        conversation_id: conversation.id,
        poster_id: conversation.poster_id,
        holder_id: conversation.merchant_id,
        accepted_by: user.id,
        title: enquiry.title,
        material_id: enquiry.material_id,
        weight_kg: enquiry.weight_kg,
        price: offer.price,
        collect_at: offer.collect_at,
      })
      .execute()
    await tellOfDeal(tx, { enquiry, conversation, offer })
  })
}

type Decided = { enquiry: LockedEnquiry; conversation: LockedConversation; offer: OfferRow }

async function tellOfDeal(tx: Tx, { enquiry, conversation, offer }: Decided): Promise<void> {
  const { poster_id, merchant_id } = conversation
  const parties = await tx.selectFrom('users').select(['id', 'company_name']).where('id', 'in', [poster_id, merchant_id]).execute()
  const all = await tx
    .selectFrom('enquiry_conversations')
    .select(['id', 'enquiry_id', 'poster_id', 'merchant_id', 'last_seq'])
    .where('enquiry_id', '=', enquiry.id)
    .execute()
  await tellAgreed(tx, {
    enquiry,
    conversation,
    offer,
    names: new Map(parties.map(({ id, company_name }) => [id, company_name])),
    others: all.flatMap(({ merchant_id: each }) => (each === merchant_id ? [] : [each])),
  })
  await refreshConversations(tx, ...all)
  await announceEnquiry(tx, enquiry.id)
}

/** The conversation stays open: either side may offer again. */
export async function declineOffer(db: Db, user: SessionUser, offerId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { enquiry, conversation, offer } = await lockForOffer(tx, user.id, offerId)
    const why = whyNotAnswer({ status: offer.status, isOwn: offer.maker_id === user.id }, enquiry, await readNow(tx))
    if (why) throw refuse('conflict', why, { code: 'offer_not_open' })
    await decide(tx, offer.id, 'declined')
    await tellAnswer(tx, { conversation, enquiry, fromId: user.id, from: user.company_name }, offer.id, 'declined')
    await refreshConversations(tx, conversation)
  })
}

export async function withdrawOffer(db: Db, user: SessionUser, offerId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { enquiry, conversation, offer } = await lockForOffer(tx, user.id, offerId)
    const why = whyNotWithdraw({ status: offer.status, isOwn: offer.maker_id === user.id })
    if (why) throw refuse('conflict', why, { code: 'offer_not_open' })
    await decide(tx, offer.id, 'withdrawn')
    if (!whyNotOpen(enquiry, await readNow(tx)))
      await tellAnswer(tx, { conversation, enquiry, fromId: user.id, from: user.company_name }, offer.id, 'withdrawn')
    await refreshConversations(tx, conversation)
  })
}

const decide = (tx: Tx, offerId: string, status: 'accepted' | 'declined' | 'withdrawn') =>
  tx.updateTable('enquiry_offers').set({ status, decided_at: now }).where('id', '=', offerId).execute()

/** An offer of the caller's or to the caller, with its enquiry and its conversation locked; another's is not there. */
async function lockForOffer(tx: Tx, userId: string, offerId: string): Promise<Decided> {
  const found = await findOffer(tx, userId, offerId)
  if (!found) throw notFound()
  const enquiry = await lockEnquiry(tx, found.enquiry_id)
  const conversation = await lockConversation(tx, userId, found.conversation_id)
  // read again: whoever held the lock may have decided about it
  const offer = await findOffer(tx, userId, offerId)
  if (!enquiry || !conversation || !offer) throw notFound()
  return { enquiry, conversation, offer }
}
