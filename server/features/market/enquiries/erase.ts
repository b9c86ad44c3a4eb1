import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** When an account is erased: its enquiries keep their district, and lose the address. */
export async function eraseFromMarket(tx: Tx, userId: string): Promise<void> {
  await sql`
    update enquiries
    set address_line_1 = 'Erased', address_line_2 = null, post_code = district, latitude = district_latitude, longitude = district_longitude
    where poster_id = ${userId}`.execute(tx)
}
