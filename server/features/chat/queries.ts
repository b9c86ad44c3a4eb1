import { sql } from 'kysely'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { Tier } from '#contract/values/permissions.ts'
import { hiddenStatuses } from '#domain/listings/visibility.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { pairKey } from '#server/features/chat/blocks.ts'
import { isUuid } from '#server/http/uuid.ts'

/** A conversation as one of its two sides sees it, open or not yet. */
export type ChatRow = {
  /** Null: nobody has written yet. */
  thread_id: string | null
  listing_id: string
  title: string
  status: ListingStatus
  owner_id: string
  other_id: string
  /** The side that looks. */
  viewer_id: string
  with_id: string
  with_company: string
  with_tier: Tier
  with_suspended: boolean
  with_left: boolean
  with_erased: boolean
  message_count: number
  unread: number
  last_message_at: Date | null
  /** Whether the sale between the two is paid: contact details are shown. */
  is_paid: boolean
  blocked_by_viewer: boolean
  blocked_by_other: boolean
}

const chatColumns = (viewerId: string) => sql`
  t.id as thread_id, l.id as listing_id, l.title, l.status, l.seller_id as owner_id, o.other_id, ${viewerId}::uuid as viewer_id,
  w.id as with_id, w.company_name as with_company, w.tier as with_tier, w.suspended_at is not null as with_suspended,
  w.deleted_at is not null as with_left, w.erased_at is not null as with_erased,
  coalesce(t.message_count, 0) as message_count, t.last_message_at,
  coalesce(case when l.seller_id = ${viewerId}::uuid then t.owner_unread else t.other_unread end, 0) as unread,
  exists (select from awards a where a.listing_id = l.id and a.bidder_id = o.other_id and a.paid_at is not null) as is_paid,
  exists (select from user_blocks b where b.blocker_id = ${viewerId}::uuid and b.blocked_id = w.id) as blocked_by_viewer,
  exists (select from user_blocks b where b.blocker_id = w.id and b.blocked_id = ${viewerId}::uuid) as blocked_by_other`

/**
 * The conversation of two users about a listing, one of whom is its owner. Nothing where there is none and none could be opened: a
 * listing that the viewer may not see, or a user who has not bid on the owner's listing.
 */
export async function findChat(db: DbOrTx, { listingId, viewerId, withId }: ChatPlace): Promise<ChatRow | undefined> {
  if (!isUuid(listingId) || !isUuid(withId)) return undefined
  const { rows } = await sql<ChatRow>`
    select ${chatColumns(viewerId)}
    from listings l
    join users w on w.id = ${withId}::uuid and w.id <> ${viewerId}::uuid
    cross join lateral (select case when l.seller_id = ${viewerId}::uuid then w.id else ${viewerId}::uuid end as other_id) as o
    left join chat_threads t on t.listing_id = l.id and t.other_id = o.other_id
    where l.id = ${listingId}::uuid
      and l.seller_id in (${viewerId}::uuid, w.id)
      and (t.id is not null
        or (l.seller_id = w.id and l.status not in (${sql.join(hiddenStatuses)}))
        or exists (select from bid_standings s where s.listing_id = l.id and s.bidder_id = o.other_id))`.execute(db)
  return rows[0]
}

export type ChatPlace = { listingId: string; viewerId: string; withId: string }

/** Newest message first. */
export type InboxPlace = { at: string; id: string }
export type InboxRow = ChatRow & { thread_id: string; last_message_at: Date; place_at: string }

export async function findInbox(
  db: DbOrTx,
  viewerId: string,
  { listingId, after, limit }: { listingId?: string; after: InboxPlace | undefined; limit: number },
): Promise<InboxRow[]> {
  const page = (side: 'owner_id' | 'other_id') => sql`
    (select *
     from chat_threads
     where ${sql.ref(side)} = ${viewerId}::uuid and message_count > 0
       ${listingId === undefined ? sql`` : sql`and listing_id = ${listingId}::uuid`}
       ${after ? sql`and (last_message_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
     order by last_message_at desc, id desc
     limit ${limit})`
  const { rows } = await sql<InboxRow>`
    select ${chatColumns(viewerId)}, t.last_message_at::text as place_at
    from (${page('owner_id')} union all ${page('other_id')}) as t
    join listings l on l.id = t.listing_id
    cross join lateral (select t.other_id) as o
    join users w on w.id = case when t.owner_id = ${viewerId}::uuid then t.other_id else t.owner_id end
    order by t.last_message_at desc, t.id desc
    limit ${limit}`.execute(db)
  return rows
}

/** By listing, those with the newest messages first. */
export async function findUnread(db: DbOrTx, userId: string): Promise<{ listing_id: string; unread: number }[]> {
  const { rows } = await sql<{ listing_id: string; unread: number }>`
    select listing_id, sum(unread)::int as unread
    from (
      select listing_id, owner_unread as unread, last_message_at from chat_threads where owner_id = ${userId} and owner_unread > 0
      union all
      select listing_id, other_unread, last_message_at from chat_threads where other_id = ${userId} and other_unread > 0
    ) as t
    group by listing_id
    order by max(last_message_at) desc`.execute(db)
  return rows
}

/**
 * Creates the thread where it is missing, and locks it: the messages of one thread are written one after the other. With it the pair's
 * blocks (blocks.ts) and the sender's account, by one statement. Answers the thread, and whether the account is deleted.
 */
export async function lockThread(tx: Tx, { listing_id, owner_id, other_id, viewer_id, with_id }: ChatRow): Promise<LockedThread> {
  const lock = async () => {
    const { rows } = await sql<LockedThread>`
      with blocks as materialized (
        select pg_advisory_xact_lock_shared(${pairKey(viewer_id, with_id)})
      ), sender as materialized (
        select deleted_at from users where id = ${viewer_id} for key share
      ), thread as materialized (
        select id from chat_threads where listing_id = ${listing_id} and other_id = ${other_id} for no key update
      )
      select thread.id, sender.deleted_at is not null as "isDeleted"
      from blocks, sender, thread`.execute(tx)
    return rows[0]
  }
  const known = await lock()
  if (known) return known
  await sql`
    insert into chat_threads (listing_id, owner_id, other_id)
    values (${listing_id}, ${owner_id}, ${other_id})
    on conflict do nothing`.execute(tx)
  const made = await lock()
  if (!made) throw new Error('a thread that was inserted can be locked')
  return made
}

type LockedThread = { id: string; isDeleted: boolean }
