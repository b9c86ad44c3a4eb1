import { sql } from 'kysely'
import type { TradespeopleOfDistrict } from '#contract/market/enquiries.ts'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import type { Db } from '#server/db/db.ts'
import { districtOf } from '#server/features/search/public.ts'

const trades = (Object.keys(businessActivities) as BusinessActivity[]).filter((id) => businessActivities[id].side === 'trade')

const MOST_SHOWN = 5_000

/** Tradespeople who agreed to be shown, by the postcode district of their company: never the street. */
export async function findTradespeople(db: Db): Promise<TradespeopleOfDistrict[]> {
  const { rows } = await sql<{ company_name: string; business_activity: BusinessActivity; post_code: string }>`
    select u.company_name, u.business_activity, a.post_code
    from tradespeople_on_map t
    join users u on u.id = t.user_id
    join lateral (
      select post_code from addresses where user_id = u.id order by is_company_address desc, is_default_address desc limit 1
    ) as a on true
    where u.deleted_at is null and u.suspended_at is null and u.opened_at is not null and u.business_activity = any(${trades})
    order by u.company_name, u.id
    limit ${MOST_SHOWN}`.execute(db)
  const byDistrict = Map.groupBy(rows, ({ post_code }) => districtOf(post_code))
  return [...byDistrict].flatMap(([district, people]) =>
    district
      ? {
          post_code_district: district.outcode,
          town: district.town,
          latitude: hundredth(district.latitude),
          longitude: hundredth(district.longitude),
          people: people.map(({ company_name, business_activity }) => ({
            company_name,
            business_activity: businessActivities[business_activity].label,
          })),
        }
      : [],
  )
}

const hundredth = (degrees: number) => Math.round(degrees * 100) / 100
