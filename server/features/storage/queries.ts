import { sql, type Selectable } from 'kysely'
import type { FileType, UploadKind } from '#contract/storage.ts'
import { permissionsOf, tiers } from '#contract/values/permissions.ts'
import { storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'
import type { StorageObjects } from '#database/schema.gen.ts'
import { paperOfUpload } from '#domain/papers/upload-places.ts'
import { now } from '#server/db/clock.ts'
import type { Db, DbOrTx } from '#server/db/db.ts'
import type { ConversationOfFile, Holder, SaleOfFile } from '#server/features/storage/present.ts'

export type StorageObject = Omit<Selectable<StorageObjects>, 'mime_type' | 'upload_kind' | 'thumbnails' | 'state'> & {
  mime_type: FileType
  upload_kind: UploadKind
  /** width → key */
  thumbnails: Record<string, string>
  state: 'reserved' | 'uploaded' | 'ready' | 'rejected' | 'deleted'
}

export const unfinished = ['reserved', 'uploaded'] as const

/** Somebody's own; another's is not there. */
export async function findOwn(db: Db, ownerId: string, id: string): Promise<StorageObject | undefined> {
  const row = await db.selectFrom('storage_objects').selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst()
  return row as StorageObject | undefined
}

export async function findReady(db: Db, id: string): Promise<StorageObject | undefined> {
  const row = await db.selectFrom('storage_objects').selectAll().where('id', '=', id).where('state', '=', 'ready').executeTakeFirst()
  return row as StorageObject | undefined
}

type StoredFiles = Pick<StorageObject, 'width' | 'height' | 'thumbnails' | 'poster_key'> & { object_key: string; sha256: Buffer }

/** The first to finish a check decides; nothing when that was another, or the object was removed meanwhile. */
export async function markReady(db: DbOrTx, id: string, kept: StoredFiles): Promise<StorageObject | undefined> {
  const row = await db
    .updateTable('storage_objects')
    .set({ ...kept, thumbnails: JSON.stringify(kept.thumbnails), state: 'ready', ready_at: now })
    .where('id', '=', id)
    .where('state', 'in', unfinished)
    .returningAll()
    .executeTakeFirst()
  return row as StorageObject | undefined
}

export async function markRejected(db: Db, id: string, rejection: string): Promise<void> {
  await db
    .updateTable('storage_objects')
    .set({ state: 'rejected', rejection })
    .where('id', '=', id)
    .where('state', 'in', unfinished)
    .execute()
}

export async function markDeleted(tx: DbOrTx, id: string): Promise<void> {
  await tx.updateTable('storage_objects').set({ state: 'deleted', rejection: null }).where('id', '=', id).execute()
}

export async function lockOwn(tx: DbOrTx, ownerId: string, id: string): Promise<StorageObject | undefined> {
  const row = await tx
    .selectFrom('storage_objects')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  return row as StorageObject | undefined
}

/** What was reserved and never finished. */
export async function forgetAbandoned(db: Db, age: string, most: number): Promise<string[]> {
  const rows = await db
    .updateTable('storage_objects')
    .set({ state: 'deleted' })
    .where('id', 'in', (query) =>
      query
        .selectFrom('storage_objects')
        .select('id')
        .where('state', 'in', unfinished)
        .where('reserved_at', '<', sql<Date>`app_now() - ${age}::interval`)
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Photos, videos and papers for a listing that were uploaded and never used. Documents of a user are not among them: they may
 * wait as long as they like. Held is what any table points to, so a new table that holds uploads need not be named here.
 */
export async function forgetUnused(db: Db, age: string, most: number): Promise<StorageObject[]> {
  const holders = await holdersOfUploads(db)
  // those that are held are not among the first so many: otherwise they would be looked at for ever, and nothing behind them
  const isNotHeld = holders.map(
    ({ holder, by }) => sql<boolean>`not exists (select from ${sql.table(holder)} as h where ${sql.ref(`h.${by}`)} = storage_objects.id)`,
  )
  return db.transaction().execute(async (tx) => {
    const old = (await tx
      .selectFrom('storage_objects')
      .selectAll()
      .where('state', '=', 'ready')
      .where('upload_kind', 'in', [uploadKinds.ListingMedia, uploadKinds.ListingAsset])
      .where('ready_at', '<', sql<Date>`app_now() - ${age}::interval`)
      .where((where) => where.and(isNotHeld))
      .limit(most)
      .forUpdate()
      .skipLocked()
      .execute()) as StorageObject[]
    // after the lock: whoever held it before may have linked one meanwhile
    const held = await heldAmong(
      tx,
      holders,
      old.map(({ id }) => id),
    )
    const unused = old.filter(({ id }) => !held.has(id))
    for (const { id } of unused) await markDeleted(tx, id)
    return unused
  })
}

type HoldingColumn = { holder: string; by: string }

async function holdersOfUploads(db: Db): Promise<HoldingColumn[]> {
  const { rows } = await sql<HoldingColumn>`
    select c.conrelid::regclass::text as holder, a.attname as by
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'storage_objects'::regclass`.execute(db)
  return rows
}

async function heldAmong(tx: DbOrTx, holders: readonly HoldingColumn[], ids: string[]): Promise<Set<string>> {
  const held = new Set<string>()
  for (const { holder, by } of holders) {
    const { rows } = await sql<{
      id: string
    }>`select ${sql.ref(by)} as id from ${sql.table(holder)} where ${sql.ref(by)} = any(${ids}::uuid[])`.execute(tx)
    for (const { id } of rows) held.add(id)
  }
  return held
}

/** The listings that show a file, as this viewer stands to them. */
export async function findHolders(db: Db, id: string, viewerId: string | null): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select l.status, coalesce(l.seller_id = ${viewerId}, false) as "isOwner",
           exists (select from bid_standings s where s.listing_id = l.id and s.bidder_id = ${viewerId}) as "isBidder"
    from listing_media m
    join listings l on l.id = m.listing_id
    where m.storage_object_id = ${id}`.execute(db)
  return rows
}

/** The conversation that a photo was sent in, as this viewer stands to it; nothing for a photo that was sent in none. */
export async function findConversationOf(db: Db, id: string, viewerId: string | null): Promise<ConversationOfFile | undefined> {
  const { rows } = await sql<ConversationOfFile>`
    select coalesce(${viewerId}::uuid in (t.owner_id, t.other_id), false) as "isParticipant"
    from chat_attachments a
    join chat_messages m on m.id = a.message_id
    join chat_threads t on t.id = m.thread_id
    where a.storage_object_id = ${id}
    union all
    select coalesce(${viewerId}::uuid in (c.poster_id, c.merchant_id), false)
    from enquiry_message_media a
    join enquiry_messages m on m.id = a.message_id
    join enquiry_conversations c on c.id = m.conversation_id
    where a.storage_object_id = ${id}
    union all
    -- of an enquiry: whoever may see the enquiry
    select coalesce(
             e.poster_id = ${viewerId}::uuid
               or exists (select from users u where u.id = ${viewerId}::uuid and u.tier in (${sql.join(enquiryViewers)}))
               or exists (select from enquiry_conversations c where c.enquiry_id = e.id and c.merchant_id = ${viewerId}::uuid),
             false)
    from enquiry_media a
    join enquiries e on e.id = a.enquiry_id
    where a.storage_object_id = ${id}`.execute(db)
  return rows[0]
}

const enquiryViewers = tiers.filter((tier) => permissionsOf(tier).market_view_enquiry.enabled)

export async function findAll(db: DbOrTx, ids: readonly string[]): Promise<StorageObject[]> {
  if (ids.length === 0) return []
  return (await db.selectFrom('storage_objects').selectAll().where('id', 'in', ids).execute()) as StorageObject[]
}

/** The papers among these that were drawn, with the hash of their PDF. */
export async function findPaperHashes(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('papers').select(['id', 'sha256']).where('id', 'in', ids).where('sha256', 'is not', null).execute()
  return new Map(rows.map(({ id, sha256 }) => [id, sha256?.toString('hex') ?? '']))
}

/** The sale that a file was given in as one of its papers, as this viewer stands to it; nothing for any other file. */
export async function findSaleOf(db: Db, id: string, viewerId: string | null): Promise<SaleOfFile | undefined> {
  const { rows } = await sql<SaleOfFile & { step: string; field: string }>`
    select step, field, coalesce(${viewerId}::uuid in (seller_id, buyer_id), false) as "isParty"
    from award_documents
    where storage_object_id = ${id}`.execute(db)
  return rows.find(({ step, field }) => paperOfUpload(step, field) !== null)
}

/** Those of somebody's uploads that a listing or a message may take: ready, of this kind, and held by none yet. Locked until it has them. */
export async function lockLinkableUploads(tx: DbOrTx, ownerId: string, kind: UploadKind, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('storage_objects')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('upload_kind', '=', kind)
    .where('state', '=', 'ready')
    .orderBy('id')
    .forUpdate()
    .execute()
  // after the lock: whoever held it before may have linked one meanwhile
  const taken = await tx
    .selectFrom('listing_media')
    .select('storage_object_id')
    .where('storage_object_id', 'in', ids)
    .union(tx.selectFrom('listing_documents').select('storage_object_id').where('storage_object_id', 'in', ids))
    .union(tx.selectFrom('chat_attachments').select('storage_object_id').where('storage_object_id', 'in', ids))
    .union(tx.selectFrom('enquiry_media').select('storage_object_id').where('storage_object_id', 'in', ids))
    .union(tx.selectFrom('enquiry_message_media').select('storage_object_id').where('storage_object_id', 'in', ids))
    .execute()
  const used = new Set(taken.map(({ storage_object_id }) => storage_object_id))
  return rows.flatMap(({ id }) => (used.has(id) ? [] : [id]))
}

/** By a listing, a step of its sale, somebody's merchant documents, or a message. */
export async function isLinked(db: DbOrTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ isLinked: boolean }>`
    select exists (select from listing_media where storage_object_id = ${id})
        or exists (select from listing_documents where storage_object_id = ${id})
        or exists (select from merchant_documents where storage_object_id = ${id})
        or exists (select from enquiry_media where storage_object_id = ${id})
        or exists (select from enquiry_message_media where storage_object_id = ${id})
        or exists (select from chat_attachments where storage_object_id = ${id}) as "isLinked"`.execute(db)
  return rows[0]?.isLinked === true
}

/** Those of somebody's uploads that are merchant documents and ready. Locked until they are filed. */
export async function lockMerchantUploads(tx: DbOrTx, ownerId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('storage_objects')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('upload_kind', '=', uploadKinds.UserAsset)
    .where('storage_object_kind', '=', storageObjectKinds.MerchantDocument)
    .where('state', '=', 'ready')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Every merchant document that somebody uploaded, filed or not. The files are swept later. */
export async function dropMerchantUploads(tx: DbOrTx, ownerId: string): Promise<void> {
  await tx
    .updateTable('storage_objects')
    .set({ state: 'deleted', rejection: null })
    .where('owner_id', '=', ownerId)
    .where('storage_object_kind', '=', storageObjectKinds.MerchantDocument)
    .execute()
}

export async function findOfListings(db: DbOrTx, listingIds: readonly string[]): Promise<(StorageObject & { listing_id: string })[]> {
  if (listingIds.length === 0) return []
  const rows = await db
    .selectFrom('listing_media')
    .innerJoin('storage_objects', 'storage_objects.id', 'storage_object_id')
    .selectAll('storage_objects')
    .select('listing_id')
    .where('listing_id', 'in', listingIds)
    .orderBy('listing_id')
    .orderBy('position')
    .execute()
  return rows as (StorageObject & { listing_id: string })[]
}
