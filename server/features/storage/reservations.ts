import { sql } from 'kysely'
import { now } from '#server/db/clock.ts'
import type { Db } from '#server/db/db.ts'
import { unfinished, type StorageObject } from '#server/features/storage/queries.ts'

// An upload from its reservation until its file has arrived.

type Reservation = Pick<StorageObject, 'owner_id' | 'upload_kind' | 'storage_object_kind' | 'filename' | 'mime_type' | 'file_size'>

type Terms = { openForSeconds: number; refuseOver: number; refuse: () => Error }

/** Counts what is reserved too: one owner's reservations wait for each other, so that many at once stay within the quota. */
export async function insertReservation(db: Db, reservation: Reservation, { openForSeconds, refuseOver, refuse }: Terms) {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${reservation.owner_id}, 2))`.execute(tx)
    const { bytes } = await tx
      .selectFrom('storage_objects')
      .select(sql<number>`coalesce(sum(file_size), 0)::float8`.as('bytes'))
      .where('owner_id', '=', reservation.owner_id)
      .where('state', 'in', [...unfinished, 'ready'])
      .executeTakeFirstOrThrow()
    if (bytes + reservation.file_size > refuseOver) throw refuse()
    return tx
      .insertInto('storage_objects')
      .values(reservation)
      .returning('id')
      .returning(sql<Date>`app_now() + make_interval(secs => ${openForSeconds})`.as('expires_at'))
      .executeTakeFirstOrThrow()
  })
}

export async function isAwaited(db: Db, id: string, until: Date): Promise<boolean> {
  const row = await db
    .selectFrom('storage_objects')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .where(sql<boolean>`app_now() < ${until}::timestamptz`)
    .executeTakeFirst()
  return row !== undefined
}

export async function markUploaded(db: Db, id: string): Promise<void> {
  await db
    .updateTable('storage_objects')
    .set({ state: 'uploaded', uploaded_at: now })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .execute()
}
