import type { Paper } from '#contract/listings.ts'
import type { FileType } from '#contract/storage.ts'
import { gbp } from '#domain/format.ts'
import { paperOfUpload } from '#domain/papers/upload-places.ts'
import type { ReadRows } from '#server/db/db.ts'
import { addressOf } from '#server/features/storage/public.ts'

type IssuedRow = { id: string; listing_id: string; kind: Paper['kind']; number: string | null; total: number | null; at: Date }
type GivenRow = { id: string; listing_id: string; step: string; field: string; mime_type: FileType; is_sellers: boolean; at: Date }
type RecordRow = { id: string; listing_id: string; at: Date }

/**
 * The papers of each listing's sales that this viewer is a party of, oldest first: those that we issued, what the parties uploaded, and
 * the viewer's own record. A draft is listed until the paper itself is issued.
 */
export async function papersOf(rows: ReadRows, listingIds: readonly string[], viewerId: string): Promise<Map<string, Paper[]>> {
  if (listingIds.length === 0) return new Map()
  const values = [listingIds, viewerId]
  const issued = await rows<IssuedRow>(
    `select p.id, p.listing_id, p.kind, p.number, p.total, p.created_at as at
     from papers p
     join awards a on a.id = p.award_id
     join listings l on l.id = p.listing_id
     where p.listing_id = any($1::uuid[]) and $2 in (l.seller_id, a.bidder_id)
       and not (p.is_draft and exists (select from papers f where f.award_id = p.award_id and f.kind = p.kind and not f.is_draft))`,
    values,
  )
  const given = await rows<GivenRow>(
    `select d.storage_object_id as id, d.listing_id, d.step, d.field, o.mime_type, d.given_by = d.seller_id as is_sellers, d.at
     from award_documents d
     join storage_objects o on o.id = d.storage_object_id
     where d.listing_id = any($1::uuid[]) and $2 in (d.seller_id, d.buyer_id) and o.state = 'ready'`,
    values,
  )
  const records = await rows<RecordRow>(
    'select id, listing_id, at from scrap_records where listing_id = any($1::uuid[]) and user_id = $2',
    values,
  )
  const all = [
    ...issued.map((row) => ({ listing: row.listing_id, paper: presentIssued(row) })),
    ...given.flatMap((row) => {
      const paper = presentGiven(row)
      return paper ? [{ listing: row.listing_id, paper }] : []
    }),
    ...records.map((row) => ({ listing: row.listing_id, paper: presentRecord(row) })),
  ].sort((one, other) => one.paper.at.localeCompare(other.paper.at) || one.paper.id.localeCompare(other.paper.id))
  const papers = new Map<string, Paper[]>()
  for (const { listing, paper } of all) papers.set(listing, [...(papers.get(listing) ?? []), paper])
  return papers
}

const presentIssued = ({ id, kind, number, total, at }: IssuedRow): Paper => ({
  id,
  kind,
  number,
  by: 'platform',
  total: total === null ? null : gbp(total),
  url: `/api/v1/papers/${id}`,
  at: at.toISOString(),
})

function presentGiven({ id, step, field, mime_type, is_sellers, at }: GivenRow): Paper | undefined {
  const kind = paperOfUpload(step, field)
  if (!kind) return undefined
  return {
    id,
    kind,
    number: null,
    by: is_sellers ? 'seller' : 'buyer',
    total: null,
    url: addressOf({ id, mime_type }),
    at: at.toISOString(),
  }
}

const presentRecord = ({ id, at }: RecordRow): Paper => ({
  id,
  kind: 'scrap_record',
  number: null,
  by: 'platform',
  total: null,
  url: `/api/v1/records/${id}`,
  at: at.toISOString(),
})
