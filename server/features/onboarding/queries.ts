import type { Selectable } from 'kysely'
import type { OnboardingProfileForm } from '#contract/onboarding.ts'
import type { OnboardingProfiles, Sites } from '#database/schema.gen.ts'
import type { DbOrTx, Tx } from '#server/db/db.ts'
import { sql } from 'kysely'

export const findProfile = (db: DbOrTx, userId: string): Promise<Selectable<OnboardingProfiles> | undefined> =>
  db.selectFrom('onboarding_profiles').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const findSites = (db: DbOrTx, userId: string): Promise<Selectable<Sites>[]> =>
  db.selectFrom('sites').selectAll().where('user_id', '=', userId).orderBy('position').execute()

type Values = Pick<
  Selectable<OnboardingProfiles>,
  'activities' | 'company_number' | 'licence_number' | 'licence_council' | 'licence_expires_at' | 'waste_carrier_number'
>

export async function writeProfile(tx: Tx, userId: string, values: Values): Promise<void> {
  const row = { ...values, updated_at: sql<Date>`app_now()` }
  await tx
    .insertInto('onboarding_profiles')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** In the order given; what was there before goes. */
export async function writeSites(tx: Tx, userId: string, sites: OnboardingProfileForm['sites']): Promise<void> {
  await tx.deleteFrom('sites').where('user_id', '=', userId).execute()
  if (sites.length === 0) return
  await tx
    .insertInto('sites')
    .values(sites.map(({ name, address }, nth) => ({ user_id: userId, position: nth + 1, name, ...address })))
    .execute()
}
