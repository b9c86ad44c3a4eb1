import { randomUUID } from 'node:crypto'
import type pg from 'pg'

type Thread = { listing: string; owner: string; other: string }

/** A thread of three messages about a listing, of which its owner has not read the last. The other side's first has a photo. */
export async function soundChat(client: pg.ClientBase, { listing, owner, other }: Thread): Promise<void> {
  const thread = randomUUID()
  await client.query(
    `insert into chat_threads (id, listing_id, owner_id, other_id, message_count, owner_read_seq, other_read_seq, owner_unread)
     values ($1, $2, $3, $4, 3, 2, 3, 1)`,
    [thread, listing, owner, other],
  )
  await client.query(
    `insert into chat_messages (thread_id, seq, sender_id, body, client_key)
     values ($1, 1, $3, 'Is it dry?', 'a'), ($1, 2, $2, 'It is', 'b'), ($1, 3, $3, 'Good', 'c')`,
    [thread, owner, other],
  )
  await client.query('insert into chat_reads (thread_id, user_id, up_to_seq) values ($1, $2, 2), ($1, $3, 2)', [thread, owner, other])
  await client.query(
    `with photo as (
       insert into storage_objects (owner_id, upload_kind, filename, mime_type, file_size, state, object_key, sha256, ready_at)
       values ($2, 1, 'load.png', 'image/png', 1, 'ready', 'ready/' || $1::uuid || '/image.png', sha256('x'), app_now())
       returning id
     )
     insert into chat_attachments (message_id, storage_object_id, position)
     select m.id, photo.id, 1 from chat_messages m, photo where thread_id = $1 and seq = 1`,
    [thread, other],
  )
}

/** Each breaks one rule of the chat on purpose. */
export const chatBreaks: [rule: string, how: (people: { owner: string; stranger: string }) => string[]][] = [
  ['44: chat: a thread is', ({ stranger }) => [`update chat_messages set sender_id = '${stranger}' where seq = 2`]],
  ['44: chat: a thread is', ({ owner, stranger }) => [`update chat_reads set user_id = '${stranger}' where user_id = '${owner}'`]],
  ['45: chat: the messages', () => [`delete from chat_attachments`, `delete from chat_messages where seq = 1`]],
  ['45: chat: the messages', () => [`update chat_threads set message_count = 4`]],
  ['45: chat: each message', () => [`update chat_messages set created_at = created_at - interval '1 hour' where seq = 3`]],
  ['45: chat: each message', () => [`update chat_messages set client_key = 'a' where seq = 3`]],
  ['45: chat: what is unread', () => [`update chat_threads set owner_unread = 0`]],
  ['45: chat: what is unread', () => [`update chat_threads set other_read_seq = 1`]],
  [
    '50: chat: photos',
    ({ stranger }) => [`update storage_objects set owner_id = '${stranger}' where id in (select storage_object_id from chat_attachments)`],
  ],
]
