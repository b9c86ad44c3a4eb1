import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { address, User, UserLite } from '#contract/account.ts'
import type { BusinessActivity, BusinessType } from '#contract/values/business.ts'
import { permissionsOf } from '#contract/values/permissions.ts'
import type { Addresses } from '#database/schema.gen.ts'
import type { SessionUser } from '#server/http/session.ts'

/** The user as the user sees it. What is not named here does not leave the server. */
export function presentUserLite(user: SessionUser, restoreUntil: Date | null = null): UserLite {
  const step = user.onboarding_stage === null ? null : { stage: user.onboarding_stage, subscription_page: user.onboarding_stage }
  return {
    id: user.id,
    email: user.email,
    email_verified: user.email_verified_at !== null,
    first_name: user.first_name,
    surname: user.surname,
    business_type: user.business_type as BusinessType,
    business_activity: user.business_activity as BusinessActivity | null,
    company_name: user.company_name,
    // SPEC §4: complete when the payment account is completed and the onboarding step is null
    onboarded: user.payment_account_completed && step === null,
    suspended: user.suspended_at !== null,
    permissions: permissionsOf(user.tier),
    subscription: {
      tier: user.tier,
      status: user.subscription_status,
      trial_ends_at: user.trial_ends_at?.toISOString() ?? null,
      stripe: {
        account_completed: user.payment_account_completed,
        account_verified: user.payment_account_verified,
        account_needs_more:
          user.payment_account_completed && !user.payment_account_verified && (user.payment_account_requirements as unknown[]).length > 0,
      },
    },
    onboarding: { step },
    is_using_temporary_password: user.temporary_password_expires_at !== null,
    call_to_complete_notification_settings: { show: user.notification_call_ended_at === null },
    call_to_setup_market_preferences: {
      show: permissionsOf(user.tier).market_view_enquiry.enabled && user.material_preferences_saved_at === null,
    },
    is_admin: user.role === 'admin',
    role: user.role,
    has_second_factor: user.second_factor_since !== null,
    deletion: restoreUntil && { restore_until: restoreUntil.toISOString() },
  }
}

export function presentUser(user: SessionUser, companyAddress: Selectable<Addresses> | undefined, restoreUntil: Date | null): User {
  return {
    ...presentUserLite(user, restoreUntil),
    new_email: user.new_email,
    vat_number: user.vat_number,
    not_vat_registered: user.not_vat_registered,
    vat_status: user.vat_status as User['vat_status'],
    profile: { date_of_birth: user.date_of_birth, company_name: user.company_name, contact_number: user.contact_number },
    company_address: companyAddress ? presentAddress(companyAddress) : null,
    created_at: user.created_at.toISOString(),
  }
}

export const presentAddress = ({ user_id: _owner, created_at: _created, ...shown }: Selectable<Addresses>): z.output<typeof address> =>
  shown
