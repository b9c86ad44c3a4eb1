import type { ChatThread, OpenThread } from '#contract/people/chat.ts'
import type { Message } from '#contract/people/messages.ts'
import { rowsOf, type Db } from '#server/db/db.ts'
import { findLastMessages, findMessages, markThreadRead } from '#server/features/chat/message-queries.ts'
import { CONTEXT, presentCounterpart, presentListings, presentMessages } from '#server/features/chat/present.ts'
import { findChat, findInbox, type ChatPlace, type ChatRow, type InboxPlace, type InboxRow } from '#server/features/chat/queries.ts'
import { whyNotWrite } from '#server/features/chat/send.ts'
import { markSourceRead } from '#server/features/notifications/public.ts'
import { notFound } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { LiveHub } from '#server/live/hub.ts'
import { tellOfChat } from '#server/live/outbox.ts'

export const PAGE = 50

type MessagePage = { messages: Message[]; olderThan: number | null }

/** Newest last; `before` is the number of the oldest message that the reader has. */
export async function readMessages(db: Db, chat: ChatRow, before: number | undefined, viewerId: string | null): Promise<MessagePage> {
  const to = Math.min(chat.message_count, (before ?? Infinity) - 1)
  const from = Math.max(1, to - PAGE + 1)
  if (chat.thread_id === null || to < 1) return { messages: [], olderThan: null }
  const rows = await findMessages(db, chat.thread_id, from - CONTEXT, to + CONTEXT)
  const isWanted = ({ seq }: { seq: number }) => seq >= from && seq <= to
  const messages = await presentMessages(db, rows, { viewerId, isPaid: chat.is_paid, isWanted })
  return { messages, olderThan: from > 1 ? from : null }
}

export async function presentOpenThread(db: Db, chat: ChatRow, viewer: SessionUser): Promise<OpenThread> {
  const refusal = whyNotWrite(viewer, chat)
  const [listing] = await presentListings(db, [chat])
  if (!listing) throw new Error('a thread is about a listing')
  return {
    id: chat.thread_id,
    listing,
    with: presentCounterpart(chat),
    last_message_at: chat.last_message_at?.toISOString() ?? null,
    unread: chat.unread,
    why_not: refusal ? { code: refusal.code, message: refusal.message } : null,
    is_blocked: chat.blocked_by_viewer,
    is_masked: !chat.is_paid,
  }
}

type InboxPage = { threads: ChatThread[]; next: InboxPlace | undefined }

export async function readInbox(
  db: Db,
  viewerId: string,
  { limit, ...wanted }: { listingId?: string; after: InboxPlace | undefined; limit: number },
): Promise<InboxPage> {
  const found = await findInbox(db, viewerId, { ...wanted, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { threads: await presentThreads(db, rows, viewerId), next: last && { at: last.place_at, id: last.thread_id } }
}

async function presentThreads(db: Db, rows: readonly InboxRow[], viewerId: string): Promise<ChatThread[]> {
  const messages = await findLastMessages(
    db,
    rows.map(({ thread_id }) => thread_id),
    CONTEXT,
  )
  const byThread = Map.groupBy(messages, ({ thread_id }) => thread_id)
  const listings = await presentListings(db, rows)
  const threads: ChatThread[] = []
  for (const [nth, row] of rows.entries()) {
    const { thread_id, message_count, is_paid, unread, last_message_at } = row
    const isWanted = ({ seq }: { seq: number }) => seq === message_count
    const [last_message] = await presentMessages(db, byThread.get(thread_id) ?? [], { viewerId, isPaid: is_paid, isWanted })
    threads.push({
      id: thread_id,
      listing: listings[nth] as ChatThread['listing'],
      with: presentCounterpart(row),
      last_message: last_message ?? null,
      last_message_at: last_message_at.toISOString(),
      unread,
    })
  }
  return threads
}

/** Up to now. A second time changes nothing, and tells nobody. */
export async function markRead({ db, live }: { db: Db; live: LiveHub }, place: ChatPlace): Promise<void> {
  const chat = await findChat(db, place)
  if (!chat) throw notFound()
  const { thread_id, listing_id, with_id } = chat
  if (thread_id === null) return
  const isNews = await db.transaction().execute(async (tx) => {
    const seq = await markThreadRead(tx, thread_id, place.viewerId)
    if (seq === undefined) return false
    await markSourceRead(tx, place.viewerId, `chat:${thread_id}:`)
    await tellOfChat(rowsOf(tx), { thread_id, listing_id, seq, parties: [place.viewerId, with_id] })
    return true
  })
  if (isNews) live.wake()
}
