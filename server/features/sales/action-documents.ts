import type pg from 'pg'
import { uploadKinds } from '#contract/values/storage-kinds.ts'
import type { Field } from '#domain/sales/listing-machine-step.ts'
import type { ActionInput } from '#server/features/sales/action-fields.ts'
import { refuseField } from '#server/http/errors.ts'

/**
 * Links the documents that came with a step: the giver's own uploads, ready, of the kind that the form names, and in use nowhere
 * else. One that was uploaded without a kind is of this kind from now on (RULES §1).
 */
export async function keepDocuments(
  client: pg.ClientBase,
  {
    listingId,
    giverId,
    step,
    fields,
    given,
  }: { listingId: string; giverId: string; step: string; fields: readonly Field[]; given: ActionInput },
): Promise<void> {
  for (const { name, type, kind } of fields) {
    if ((type !== 'document' && type !== 'documents') || given[name] === undefined) continue
    const ids = [given[name]].flat() as string[]
    const { rowCount } = await client.query(
      `with ready as (
         select id
         from storage_objects
         where id = any($1::uuid[])
           and owner_id = $2
           and upload_kind = ${uploadKinds.ListingAsset}
           and coalesce(storage_object_kind, $3) = $3
           and state = 'ready'
         order by id
         for update
       ), linked as (
         insert into listing_documents (storage_object_id, listing_id, given_by, step, field)
         select id, $4, $2, $5, $6
         from ready
         where not exists (select from listing_media m where m.storage_object_id = ready.id)
         on conflict do nothing
         returning storage_object_id
       )
       update storage_objects
       set storage_object_kind = $3
       where id in (select storage_object_id from linked)`,
      [ids, giverId, kind, listingId, step, name],
    )
    if (rowCount !== ids.length)
      throw refuseField(name, 'This file is not ready, not yours, of another kind, or used already. Upload it again.')
  }
}
