import { sql } from 'kysely'
import type { ListedUser, UserDetails } from '#contract/admin/users.ts'
import type { BusinessActivity, BusinessType } from '#contract/values/business.ts'
import type { Db } from '#server/db/db.ts'
import type { UserRow } from '#server/db/user.ts'
import { findUser } from '#server/features/account/public.ts'
import type { ListedRow } from '#server/features/back-office/user-queries.ts'
import { showDocuments } from '#server/features/documents/public.ts'
import { strikesOf } from '#server/features/sales/public.ts'
import { notFound } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

const timeOf = (at: Date | null) => at?.toISOString() ?? null

type Listed = Omit<ListedRow, 'at' | 'business_type' | 'business_activity'> & Pick<UserRow, 'business_type' | 'business_activity'>

export const presentListed = (user: Listed): ListedUser => ({
  id: user.id,
  email: user.email,
  first_name: user.first_name,
  surname: user.surname,
  company_name: user.company_name,
  business_type: user.business_type as BusinessType,
  business_activity: user.business_activity as BusinessActivity | null,
  post_code: user.post_code,
  tier: user.tier,
  role: user.role,
  created_at: user.created_at.toISOString(),
  opened_at: timeOf(user.opened_at),
  suspended_at: timeOf(user.suspended_at),
  deleted_at: timeOf(user.deleted_at),
})

export async function showUser(db: Db, id: string): Promise<UserDetails> {
  const user = isUuid(id) ? await findUser(db, id) : undefined
  if (!user) throw notFound()
  const addresses = await addressesOf(db, id)
  return {
    ...presentListed({ ...user, post_code: addresses.find(({ is_company_address }) => is_company_address)?.post_code ?? null }),
    email_verified_at: timeOf(user.email_verified_at),
    contact_number: user.contact_number,
    date_of_birth: user.date_of_birth,
    vat_number: user.vat_number,
    not_vat_registered: user.not_vat_registered,
    vat_status: user.vat_status,
    addresses,
    onboarding_stage: user.onboarding_stage,
    payment_account: { completed: user.payment_account_completed, verified: user.payment_account_verified },
    subscription: { status: user.subscription_status, trial_ends_at: timeOf(user.trial_ends_at) },
    suspension_reason: user.suspension_reason,
    bidding_blocked_reason: user.bidding_blocked_reason,
    listing_blocked_reason: user.listing_blocked_reason,
    deferred_terms: { days: user.deferred_days, limit: user.deferred_limit },
    documents: (await showDocuments(db, id)).data,
    strikes: await strikesOf(db, id),
    counts: await countsOf(db, id),
    has_second_factor: user.second_factor_since !== null,
    erased_at: timeOf(user.erased_at),
  }
}

const addressesOf = (db: Db, userId: string) =>
  db
    .selectFrom('addresses')
    .select(['address_line_1', 'address_line_2', 'town', 'county', 'post_code', 'is_company_address', 'is_default_address'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

const over = sql`('Expired', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')`
const running = sql`('Processing', 'Active')`

async function countsOf(db: Db, userId: string): Promise<UserDetails['counts']> {
  const { rows } = await sql<UserDetails['counts']>`
    select (select count(*)::int from listings where seller_id = ${userId} and status in ${running}) as running_listings,
           (select count(*)::int from listings where seller_id = ${userId} and status not in ${over} and status not in ${running}) as open_sales,
           (select count(*)::int
            from bid_standings s
            join listings l on l.id = s.listing_id
            where s.bidder_id = ${userId} and s.status = 'Won' and l.status not in ${over}) as open_purchases`.execute(db)
  return rows[0] ?? { running_listings: 0, open_sales: 0, open_purchases: 0 }
}
