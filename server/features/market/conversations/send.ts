import { sql } from 'kysely'
import type { MessageBody } from '#contract/people/messages.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { whyNotOpen } from '#domain/market/deal-rules.ts'
import { now, readNow } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { keepUser } from '#server/db/user.ts'
import { isBlocked, lockBlocks } from '#server/features/chat/public.ts'
import { findDeal, lockConversation, openConversation, type LockedConversation } from '#server/features/market/records/conversation-rows.ts'
import { BLOCKED } from '#server/features/market/enquiries/present.ts'
import { lockEnquiry, type LockedEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { readConversationNews, refreshConversations, tellMessage } from '#server/features/market/records/news.ts'
import { lockLinkableUploads, uploadsOf } from '#server/features/storage/public.ts'
import { accountDeleted, notFound, refuse, refuseField } from '#server/http/errors.ts'
import type { Once } from '#server/http/idempotency.ts'
import type { SessionUser } from '#server/http/session.ts'

/** What is kept under an idempotency key: where the message stands. */
export type SentMessage = { conversation_id: string; seq: number }

type Sending = { sender: SessionUser; body: MessageBody; remember: Once<SentMessage>['remember'] }

/** Asks about an enquiry without an offer: the first message opens the conversation. */
export function askAboutEnquiry(db: Db, enquiryId: string, { sender, body, remember }: Sending): Promise<SentMessage> {
  return db.transaction().execute(async (tx) => {
    const enquiry = await lockForSender(tx, enquiryId, sender)
    const conversation = await openConversation(tx, enquiry, sender.id)
    return writeMessage(tx, { enquiry, conversation, sender, body, remember })
  })
}

/** Whoever takes part may answer, whatever their plan; after a deal only its two parties. */
export function sendMessage(db: Db, conversationId: string, { sender, body, remember }: Sending): Promise<SentMessage> {
  return db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, sender.id, conversationId)
    if (!conversation) throw notFound()
    const enquiry = await tx
      .selectFrom('enquiries')
      .select(['id', 'title', 'status', 'ends_at'])
      .where('id', '=', conversation.enquiry_id)
      .executeTakeFirstOrThrow()
    await refuseBlocked(tx, conversation)
    const why = whyNotOpen(enquiry as never, await readNow(tx))
    const deal = why ? await findDeal(tx, sender.id, conversation.enquiry_id) : undefined
    if (why && deal?.conversation_id !== conversation.id) throw refuse('conflict', why, { code: 'enquiry_closed' })
    return writeMessage(tx, { enquiry, conversation, sender, body, remember })
  })
}

/** The enquiry of somebody else that is still open, locked, with nobody blocked. */
export async function lockForSender(tx: Tx, enquiryId: string, sender: SessionUser): Promise<LockedEnquiry> {
  const enquiry = await lockEnquiry(tx, enquiryId)
  if (!enquiry) throw notFound()
  if ((await keepUser(tx, sender.id)).isDeleted) throw accountDeleted()
  if (enquiry.poster_id === sender.id) throw refuse('conflict', 'This is your own enquiry.', { code: 'own_enquiry' })
  await refuseBlocked(tx, { poster_id: enquiry.poster_id, merchant_id: sender.id })
  const why = whyNotOpen(enquiry, await readNow(tx))
  if (why) throw refuse('conflict', why, { code: 'enquiry_closed' })
  return enquiry
}

/** A block stops messages, offers and accepting, in both directions. */
export async function refuseBlocked(tx: Tx, { poster_id, merchant_id }: { poster_id: string; merchant_id: string }): Promise<void> {
  await lockBlocks(tx, poster_id, merchant_id)
  if (await isBlocked(tx, poster_id, merchant_id)) throw refuse('forbidden', BLOCKED, { code: 'blocked' })
}

type Writing = Sending & { enquiry: { id: string; title: string }; conversation: LockedConversation }

async function writeMessage(tx: Tx, { enquiry, conversation, sender, body, remember }: Writing): Promise<SentMessage> {
  const { id, seq } = await appendMessage(tx, conversation, { senderId: sender.id, body: body.body, offerId: null })
  await linkPhotos(tx, id, sender.id, body.storage_object_ids)
  const sent = { conversation_id: conversation.id, seq }
  await remember(tx, sent)
  await tellMessage(tx, { conversation, enquiry, fromId: sender.id, from: sender.company_name }, { seq, body: body.body || 'A photo' })
  await refreshConversations(tx, conversation)
  return sent
}

type NewMessage = { senderId: string; body: string; offerId: string | null }

/** The conversation is locked, so the numbers have no gap. */
export async function appendMessage(tx: Tx, conversation: LockedConversation, { senderId, body, offerId }: NewMessage) {
  const seq = conversation.last_seq + 1
  const { id } = await tx
    .insertInto('enquiry_messages')
    .values({ conversation_id: conversation.id, seq, sender_id: senderId, body, offer_id: offerId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('enquiry_conversations')
    .set({ last_seq: seq, last_at: sql<Date>`date_trunc('milliseconds', app_now())` })
    .where('id', '=', conversation.id)
    .execute()
  conversation.last_seq = seq
  return { id, seq }
}

async function linkPhotos(tx: Tx, messageId: string, senderId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const free = await lockLinkableUploads(tx, senderId, uploadKinds.ListingMedia, ids)
  const uploads = await uploadsOf(tx, free)
  if (!ids.every((id) => uploads.get(id.toLowerCase())?.media_type === 'ListingImage'))
    throw refuseField('storage_object_ids', 'Only photos of your own that are not used elsewhere can be sent.')
  await tx
    .insertInto('enquiry_message_media')
    .values(ids.map((storage_object_id, nth) => ({ message_id: messageId, storage_object_id, position: nth + 1 })))
    .execute()
}

/** Marks what the other side wrote up to now as read, with its notifications. */
export async function readConversation(db: Db, userId: string, conversationId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const conversation = await lockConversation(tx, userId, conversationId)
    if (!conversation) throw notFound()
    const { numUpdatedRows } = await tx
      .updateTable('enquiry_messages')
      .set({ read_at: now })
      .where('conversation_id', '=', conversation.id)
      .where('sender_id', '<>', userId)
      .where('read_at', 'is', null)
      .executeTakeFirst()
    await readConversationNews(tx, userId, conversation.id)
    if (numUpdatedRows > 0n) await refreshConversations(tx, conversation)
  })
}
