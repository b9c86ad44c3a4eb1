import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Message, MessageBody } from '#contract/people/messages.ts'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import { whyNotSend, type ChatRefusal } from '#domain/chat/may-send.ts'
import { queueByKey } from '#domain/queue-by-key.ts'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { findMessages, insertAttachments, insertMessage } from '#server/features/chat/message-queries.ts'
import { CONTEXT, presentMessages } from '#server/features/chat/present.ts'
import { findChat, lockThread, type ChatPlace, type ChatRow } from '#server/features/chat/queries.ts'
import { notify } from '#server/features/notifications/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { lockLinkableUploads, uploadsOf } from '#server/features/storage/public.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { accountDeleted, notFound, refuse, refuseField } from '#server/http/errors.ts'
import { answerOnce, keptAnswer, slotOf, type Once } from '#server/http/idempotency.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { LiveHub } from '#server/live/hub.ts'
import { tellOfChat } from '#server/live/outbox.ts'

export type ChatDeps = { db: Db; readSetting: ReadSetting; live: LiveHub }

type Sending = { request: FastifyRequest; sender: SessionUser; place: ChatPlace; body: MessageBody }
/** What is kept under the idempotency key: where the message stands. */
type Kept = { thread_id: string; seq: number }

export function chatSender({ db, readSetting, live }: ChatDeps) {
  // The thread's row is locked until the commit. Whoever waited for it in the database would hold a connection meanwhile, and many
  // senders of one thread all of them.
  const inTurn = queueByKey()

  async function send(sending: Sending, once: Once<Kept>): Promise<Message> {
    const { request, sender, place } = sending
    const chat = await findChat(db, place)
    if (!chat) throw notFound()
    refuseIfMayNot(sender, chat)
    await takeAttempt(db, 'chat_message', sender.id, await readSetting(db, 'chat_rate'))
    const sent = await inTurn(`${chat.listing_id} ${chat.other_id}`, () =>
      db.transaction().execute(async (tx) => {
        const thread = await lockThread(tx, chat)
        if (thread.isDeleted) throw accountDeleted()
        // sent again while the first one was under way: that one has been answered by now
        const earlier = await keptAnswer(tx, slotOf({ request, userId: sender.id }))
        if (earlier) return earlier.answer as Kept
        // a block or another plan may have come meanwhile
        const now = await findChat(tx, place)
        if (!now) throw notFound()
        refuseIfMayNot(sender, now)
        return write(tx, { sending, chat: now, threadId: thread.id, once })
      }),
    )
    live.wake()
    return show(sent, sender.id, chat.is_paid)
  }

  async function show({ thread_id, seq }: Kept, viewerId: string, isPaid: boolean): Promise<Message> {
    const rows = await findMessages(db, thread_id, seq - CONTEXT, seq)
    const view = { viewerId, isPaid, isWanted: (row: { seq: number }) => row.seq === seq }
    const [message] = await presentMessages(db, rows, view)
    if (!message) throw new Error('a message that was sent can be read')
    return message
  }

  return (sending: Sending): Promise<Message> =>
    answerOnce<Kept, Message>(
      db,
      { request: sending.request, userId: sending.sender.id },
      {
        work: (once) => send(sending, once),
        again: async (kept) => show(kept, sending.sender.id, (await findChat(db, sending.place))?.is_paid ?? false),
      },
    )
}

/** Why somebody cannot write in this conversation now. */
export const whyNotWrite = (sender: SessionUser, chat: ChatRow): ChatRefusal | undefined =>
  whyNotSend({
    sender: {
      tier: sender.tier,
      isOnboarded: sender.payment_account_completed && sender.onboarding_stage === null,
      isEmailConfirmed: sender.email_verified_at !== null,
    },
    recipient: {
      tier: chat.with_tier,
      hasLeft: chat.with_left,
      isSuspended: chat.with_suspended,
      isSeller: chat.with_id === chat.owner_id,
    },
    isOpen: chat.message_count > 0,
    blocked: { bySender: chat.blocked_by_viewer, byRecipient: chat.blocked_by_other },
  })

function refuseIfMayNot(sender: SessionUser, chat: ChatRow): void {
  const refusal = whyNotWrite(sender, chat)
  if (refusal) throw refuse(refusal.kind, refusal.message, { code: refusal.code })
}

type Writing = { sending: Sending; chat: ChatRow; threadId: string; once: Once<Kept> }

async function write(tx: Tx, { sending, chat, threadId, once }: Writing): Promise<Kept> {
  const { request, sender, body } = sending
  await checkPhotos(tx, sender.id, body.storage_object_ids)
  const key = slotOf({ request, userId: sender.id })?.key ?? randomUUID()
  const { id, seq, unread } = await insertMessage(tx, { threadId, senderId: sender.id, body: body.body, key })
  await insertAttachments(tx, id, body.storage_object_ids)
  const kept = { thread_id: threadId, seq }
  await once.remember(tx, kept)
  if (unread === 1) await notifyOfChat(tx, { sender, chat, ...kept })
  await tellOfChat(rowsOf(tx), { thread_id: threadId, listing_id: chat.listing_id, seq, parties: [sender.id, chat.with_id] })
  return kept
}

async function checkPhotos(tx: Tx, senderId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const free = await lockLinkableUploads(tx, senderId, uploadKinds.ListingMedia, ids)
  const uploads = await uploadsOf(tx, free)
  const arePhotos = ids.every((id) => uploads.get(id.toLowerCase())?.media_type === 'ListingImage')
  if (!arePhotos) throw refuseField('storage_object_ids', 'Only photos of your own that are not used elsewhere can be sent.')
}

/** One notification for all that comes until it is read. */
async function notifyOfChat(tx: Tx, { sender, chat, thread_id, seq }: { sender: SessionUser; chat: ChatRow } & Kept): Promise<void> {
  const rows = await findMessages(tx, thread_id, seq - CONTEXT, seq)
  const view = { viewerId: chat.with_id, isPaid: chat.is_paid, isWanted: (row: { seq: number }) => row.seq === seq }
  const [message] = await presentMessages(tx, rows, view)
  await notify(tx, {
    kind: 'chat_message',
    to: chat.with_id,
    source: `chat:${thread_id}:${seq}`,
    facts: { from: sender.company_name, title: chat.title, preview: previewOf(message?.body ?? '') },
    listingId: chat.listing_id,
    link: `/listings/${chat.listing_id}/chat/${sender.id}`,
  })
}

const PREVIEW_MAX = 140

function previewOf(body: string): string {
  const letters = [...body.replaceAll(/\s+/g, ' ')]
  if (letters.length === 0) return 'A photo'
  return letters.length > PREVIEW_MAX ? `${letters.slice(0, PREVIEW_MAX).join('')}…` : letters.join('')
}
