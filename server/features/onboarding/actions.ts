import { sql } from 'kysely'
import type { BusinessActivity } from '#contract/values/business.ts'
import type { OnboardingProfile, OnboardingProfileForm } from '#contract/onboarding.ts'
import { readExpiry } from '#server/db/clock.ts'
import type { Db, DbOrTx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { freeTier } from '#domain/subscription.ts'
import { updateUser } from '#server/features/account/public.ts'
import { findProfile, findSites, writeProfile, writeSites } from '#server/features/onboarding/queries.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'

const BENEFITS = 2
const SUBSCRIPTION = 3

/** RULES §2: to that stage, or to the end of onboarding. */
export async function moveTo(db: Db, userId: string, stage: number | null): Promise<SessionUser> {
  return present(await updateUser(db, userId, { onboarding_stage: stage }))
}

/** From the benefits to the subscription. A second click, or one in a page that is behind, moves nothing. */
export async function dismissBenefits(db: Db, userId: string): Promise<SessionUser> {
  const next = sql<number | null>`case onboarding_stage when ${BENEFITS} then ${SUBSCRIPTION} else onboarding_stage end`
  return present(await updateUser(db, userId, { onboarding_stage: next }))
}

/** Whoever said nothing yet has the activity that they signed up with. */
export async function profileOf(db: DbOrTx, user: { id: string; business_activity: string | null }): Promise<OnboardingProfile> {
  const profile = await findProfile(db, user.id)
  const sites = await findSites(db, user.id)
  const activities = profile?.activities ?? (user.business_activity === null ? [] : [user.business_activity])
  return {
    activities: activities as BusinessActivity[],
    company_number: profile?.company_number ?? null,
    sites: sites.map(({ user_id: _owner, position: _position, name, ...address }) => ({ name, address })),
    licence_number: profile?.licence_number ?? null,
    licence_council: profile?.licence_council ?? null,
    licence_expires_at: profile?.licence_expires_at?.toISOString() ?? null,
    waste_carrier_number: profile?.waste_carrier_number ?? null,
  }
}

export async function saveProfile(db: Db, userId: string, form: OnboardingProfileForm): Promise<void> {
  const { sites, licence_expires_at, company_number = null, waste_carrier_number = null, ...said } = form
  const [main] = said.activities
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || !main) throw refuse('unauthenticated', 'Please log in.')
    const end = licence_expires_at ? await readExpiry(tx, licence_expires_at) : undefined
    if (end?.isOver)
      throw refuseField('licence_expires_at', 'This licence has expired. Enter the one that is valid now, or leave it empty.')
    // RULES §2: without a subscription the tier follows the trade
    await updateUser(tx, userId, { business_activity: main, ...(user.tier !== 'full' && { tier: freeTier(main) }) })
    await writeProfile(tx, userId, { ...said, company_number, waste_carrier_number, licence_expires_at: end?.at ?? null })
    await writeSites(tx, userId, sites)
  })
}

function present(user: SessionUser | undefined): SessionUser {
  if (!user) throw refuse('unauthenticated', 'Please log in.')
  return user
}
