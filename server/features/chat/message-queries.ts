import { sql } from 'kysely'
import type { DbOrTx, Tx } from '#server/db/db.ts'

export type MessageRow = {
  id: string
  thread_id: string
  seq: number
  sender_id: string
  body: string
  created_at: Date
  /** When the person it was sent to had read it. */
  read_at: Date | null
  /** The photos that came with it, in their order. */
  photo_ids: string[]
}

const messageColumns = sql`
  m.id, m.thread_id, m.seq, m.sender_id, m.body, m.created_at,
  (select r.at
   from chat_reads r
   where r.thread_id = m.thread_id and r.up_to_seq >= m.seq and r.user_id <> m.sender_id
   order by r.up_to_seq
   limit 1) as read_at,
  array(select a.storage_object_id from chat_attachments a where a.message_id = m.id order by a.position) as photo_ids`

/** Oldest first. The numbers have no gap: a page is a range of them. */
export async function findMessages(db: DbOrTx, threadId: string, from: number, to: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns}
    from chat_messages m
    where m.thread_id = ${threadId} and m.seq between ${from} and ${to}
    order by m.seq`.execute(db)
  return rows
}

/** The newest messages of each thread, oldest first. */
export async function findLastMessages(db: DbOrTx, threadIds: readonly string[], count: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns}
    from chat_threads t
    join chat_messages m on m.thread_id = t.id and m.seq > t.message_count - ${count}::int
    where t.id = any(${threadIds}::uuid[])
    order by m.thread_id, m.seq`.execute(db)
  return rows
}

type InsertedMessage = { id: string; seq: number; unread: number }
type NewMessage = { threadId: string; senderId: string; body: string; key: string }

/** Of a thread that is locked. `unread` is how many the recipient has not read now. */
export async function insertMessage(tx: Tx, { threadId, senderId, body, key }: NewMessage): Promise<InsertedMessage> {
  const { rows } = await sql<InsertedMessage>`
    with t as (
      update chat_threads
      set message_count = message_count + 1,
          last_message_at = app_now(),
          owner_unread = owner_unread + (owner_id <> ${senderId}::uuid)::int,
          other_unread = other_unread + (other_id <> ${senderId}::uuid)::int
      where id = ${threadId}
      returning id, message_count, last_message_at, case when owner_id = ${senderId}::uuid then other_unread else owner_unread end as unread
    ), m as (
      insert into chat_messages (thread_id, seq, sender_id, body, client_key, created_at)
      select id, message_count, ${senderId}, ${body}, ${key}, last_message_at from t
      returning id, seq
    )
    select m.id, m.seq, t.unread
    from m, t`.execute(tx)
  if (!rows[0]) throw new Error('a thread that is locked takes a message')
  return rows[0]
}

export async function insertAttachments(tx: Tx, messageId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('chat_attachments')
    .values(ids.map((storage_object_id, nth) => ({ message_id: messageId, storage_object_id, position: nth + 1 })))
    .execute()
}

/** Everything up to the newest message; answers its number, or nothing where all was read before. */
export async function markThreadRead(tx: Tx, threadId: string, readerId: string): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`
    with t as (
      update chat_threads
      set owner_read_seq = case when owner_id = ${readerId}::uuid then message_count else owner_read_seq end,
          owner_unread = case when owner_id = ${readerId}::uuid then 0 else owner_unread end,
          other_read_seq = case when other_id = ${readerId}::uuid then message_count else other_read_seq end,
          other_unread = case when other_id = ${readerId}::uuid then 0 else other_unread end
      where id = ${threadId} and case when owner_id = ${readerId}::uuid then owner_unread else other_unread end > 0
      returning id, message_count
    )
    insert into chat_reads (thread_id, user_id, up_to_seq)
    select id, ${readerId}, message_count from t
    on conflict do nothing
    returning up_to_seq as seq`.execute(tx)
  return rows[0]?.seq
}
