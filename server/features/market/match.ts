import { sql } from 'kysely'
import { permissionsOf, tiers } from '#contract/values/permissions.ts'
import type { Db } from '#server/db/db.ts'
import { lockEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { tellMatched } from '#server/features/market/records/news.ts'
import { findMatching } from '#server/features/preferences/public.ts'

const toldTiers = tiers.filter((tier) => permissionsOf(tier).market_get_notifications.enabled)

// a transaction of a thousand readers takes a fraction of a second: no lock is held for long, and the first readers hear at once
const READERS_AT_ONCE = 1_000

/** The job that tells every member whose preferences match. Run again, it tells nobody twice. */
export async function matchEnquiry(db: Db, enquiryId: string): Promise<void> {
  const { rows } = await sql<{ poster_id: string; material_id: string; weight_kg: number | null; x: number; y: number }>`
    select poster_id, material_id, weight_kg, spot[0] as x, spot[1] as y
    from enquiries
    where id = ${enquiryId} and status = 'open' and ends_at > app_now()`.execute(db)
  const [found] = rows
  if (!found) return
  const readers = await findMatching(db, {
    material_id: found.material_id,
    weight_kg: found.weight_kg,
    place: { x: found.x, y: found.y },
    exceptId: found.poster_id,
    tiers: toldTiers,
  })
  for (let at = 0; at < readers.length; at += READERS_AT_ONCE) {
    const to = readers.slice(at, at + READERS_AT_ONCE)
    await db.transaction().execute(async (tx) => {
      const enquiry = await lockEnquiry(tx, enquiryId)
      if (enquiry?.status === 'open') await tellMatched(tx, { enquiry, to })
    })
  }
}
