import { useQuery } from '@tanstack/react-query'
import type { Tier } from '#contract/values/permissions.ts'
import { CompanyAddressForm } from '#web/features/account/company-address-form.tsx'
import { DeleteAccount } from '#web/features/account/delete-account.tsx'
import { EmailForm } from '#web/features/account/email-form.tsx'
import { meQuery } from '#web/features/account/me.ts'
import { ProfileForm } from '#web/features/account/profile-form.tsx'
import { VerifyEmailPrompt } from '#web/page/verify-email-prompt.tsx'
import { AddressField } from '#web/features/location/address-field.tsx'
import { PaymentAccountDetails } from '#web/features/payments/payment-account.tsx'
import { subscriptionQuery, useTierOf } from '#web/features/subscription/queries.ts'
import { YourPlan } from '#web/features/subscription/your-plan.tsx'
import { Page } from '#web/page/page.tsx'
import { Section, useArrivalAt } from '#web/page/sections.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

export default function ViewEditPage() {
  const { data: user, error, isPending, isFetching, refetch } = useQuery(meQuery)
  useArrivalAt(!isPending)
  return (
    <Page title="Your details">
      {user ? (
        <div>
          {!user.email_verified && (
            <div className="pb-8">
              <VerifyEmailPrompt email={user.email} />
            </div>
          )}
          <Section
            title="You and your business"
            about="Your company name stands on your invoices; buyers and sellers see it once they deal with you."
          >
            <ProfileForm user={user} />
          </Section>
          <Section title="Email" about="You log in with it, and we write to it.">
            <EmailForm user={user} />
          </Section>
          <Section title="Company address" about="Forms start with the default address.">
            <CompanyAddressForm address={user.company_address} AddressField={AddressField} />
          </Section>
          <Section id="payment-account" title="Payment account" about="Stripe takes your buyers’ payments and pays you out.">
            <PaymentAccountDetails />
          </Section>
          {!user.onboarded && user.subscription.status !== null && <Plan tier={user.subscription.tier} />}
          <Section title="Delete account" about="It can be restored for a while: log in again and choose Restore.">
            <DeleteAccount />
          </Section>
        </div>
      ) : isPending ? (
        <Section title="You and your business">
          <FormSkeleton fields={6} />
        </Section>
      ) : (
        <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
    </Page>
  )
}

/** RULES §1: whoever has a plan but no finished onboarding has no subscription page, and finds plan and Cancel here. */
function Plan({ tier }: { tier: Tier }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  useTierOf(subscription)
  return (
    <Section id="plan" title="Your plan" about="Full bids, chats and takes tradesperson deals, once your account is set up.">
      <YourPlan tier={tier} />
    </Section>
  )
}
