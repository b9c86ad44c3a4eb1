import { sql } from 'kysely'
import type { DbOrTx } from '#server/db/db.ts'

const over = sql`('Expired', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')`

/** Why the account cannot be deleted yet: what its user has still to finish, in words. Undefined if there is nothing. */
export async function underWayOf(db: DbOrTx, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ says: string }>`
    select case
             when exists (select from listings where seller_id = ${userId} and status in ('Processing', 'Active'))
               then 'You have listings that are running. Withdraw them, or come back when they have ended.'
             when exists (select from listings where seller_id = ${userId} and status not in ${over})
               then 'You have a sale that is not finished. Finish it first: you find it under My listings.'
             when exists (
               select from awards a
               join listings l on l.id = a.listing_id
               where a.bidder_id = ${userId} and a.status in ('offered', 'pending_payment', 'paid') and l.status not in ${over}
             )
               then 'You have a purchase that is not finished. Finish it first: you find it under Activity.'
             when exists (select from refunds where user_id = ${userId} and status in ('wanted', 'pending', 'waiting', 'failed'))
               then 'A refund to you is on its way. Come back when it has arrived.'
             when exists (select from seller_payouts where seller_id = ${userId} and status in ('wanted', 'waiting'))
               then 'A sale is still to be paid out to you. Complete your payment account, and come back when you have been paid.'
             when exists (select from seller_payouts where seller_id = ${userId} and receivable > 0)
               then 'A refund of an earlier sale is still to be taken from your payouts. Please contact us.'
             when exists (select from enquiries where poster_id = ${userId} and status = 'open' and ends_at > app_now())
               then 'You have an open enquiry in the market. Close it first.'
             when exists (
               select from enquiry_offers o
               join enquiries e on e.id = o.enquiry_id
               where o.maker_id = ${userId} and o.status = 'open' and e.status = 'open' and e.ends_at > app_now()
             )
               then 'You have an open offer in the market. Withdraw it first.'
             when exists (
               select from bid_standings s
               join listings l on l.id = s.listing_id
               where s.bidder_id = ${userId} and s.status = 'Active' and l.status = 'Active'
             )
               then 'You lead the bidding on a listing. Come back when it has ended.'
           end as says`.execute(db)
  return rows[0]?.says ?? undefined
}
