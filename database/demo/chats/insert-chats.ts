import type pg from 'pg'
import type { DemoChat } from '#database/demo/chats/threads.ts'

/** Conversations as rows, with their read marks. One whose listing is not there, or that is there already, is left out. */
export async function insertChats(client: pg.Client, chats: readonly DemoChat[]): Promise<void> {
  for (const chat of chats) await insertChat(client, chat)
}

async function insertChat(client: pg.Client, { about, owner, other, says, unread = 0 }: DemoChat): Promise<void> {
  const last = says.at(-1)?.[0]
  const readers = { owner: last === 'other' ? unread : 0, other: last === 'owner' ? unread : 0 }
  const { rows } = await client.query<{ id: string; owner_id: string; other_id: string }>(
    `insert into chat_threads (listing_id, owner_id, other_id, message_count, owner_read_seq, other_read_seq, owner_unread, other_unread, last_message_at, created_at)
     select l.id, l.seller_id, u.id, $4, $4 - $5::int, $4 - $6::int, $5, $6, app_now() - make_interval(mins => $7), app_now() - make_interval(mins => $8)
     from listings l
     join users s on s.id = l.seller_id and s.email = $1 || '@yardbid.test'
     join users u on u.email = $2 || '@yardbid.test'
     where l.title = $3
     on conflict do nothing
     returning id, owner_id, other_id`,
    [owner, other, about, says.length, readers.owner, readers.other, says.at(-1)?.[1], says[0]?.[1]],
  )
  const [thread] = rows
  if (!thread) return
  for (const [nth, [who, minutesAgo, body]] of says.entries())
    await client.query(
      `insert into chat_messages (thread_id, seq, sender_id, body, client_key, created_at)
       values ($1, $2, $3, $4, gen_random_uuid()::text, app_now() - make_interval(mins => $5))`,
      [thread.id, nth + 1, thread[`${who}_id`], body, minutesAgo],
    )
  await client.query(
    `insert into chat_reads (thread_id, user_id, up_to_seq, at)
     select t.id, r.user_id, r.seq, t.last_message_at
     from chat_threads t
     cross join lateral (values (t.owner_id, t.owner_read_seq), (t.other_id, t.other_read_seq)) as r (user_id, seq)
     where t.id = $1 and r.seq > 0`,
    [thread.id],
  )
}
