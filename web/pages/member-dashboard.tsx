import { ChevronRight } from 'lucide-react'
import type { UserLite } from '#contract/account.ts'
import { businessActivities } from '#contract/business.ts'
import type { Place } from '#contract/places.ts'
import { tierNames } from '#web/features/account/tier-names.ts'
import { VerifyEmailPrompt } from '#web/features/account/verify-email-prompt.tsx'
import { LoadCalculator } from '#web/features/load/load-calculator.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { Page } from '#web/shell/page.tsx'
import { Facts } from '#web/ui/facts.tsx'

const links: readonly { to: Place; label: string; about: string }[] = [
  { to: 'account-view-edit', label: 'Your details', about: 'Name, company, VAT number, email and address' },
  { to: 'account-change-password', label: 'Change password', about: 'Logs you out on every other device' },
  { to: 'account-subscriptions', label: 'Subscription', about: 'What your tier lets you do' },
  { to: 'download', label: 'Get the app', about: 'Put Yardbid on your phone’s home screen' },
]

export function MemberDashboard({ user }: { user: UserLite }) {
  const activity = user.business_activity && businessActivities[user.business_activity].label
  return (
    <Page title={user.company_name} lead={`Logged in as ${user.first_name} ${user.surname}.`}>
      <section aria-labelledby="waiting" className="grid gap-3">
        <h2 id="waiting" className="text-16">
          Waiting for you
        </h2>
        {user.email_verified ? (
          <p className="border-t border-line pt-3 text-muted">Nothing is waiting for you.</p>
        ) : (
          <VerifyEmailPrompt email={user.email} />
        )}
      </section>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <section aria-labelledby="account" className="grid content-start gap-3">
          <h2 id="account" className="text-16">
            Your account
          </h2>
          <Facts
            rows={[
              ['Tier', tierNames[user.subscription.tier]],
              ['Business activity', activity],
              [
                'Payment account',
                user.subscription.stripe.account_verified
                  ? 'Verified by Stripe'
                  : user.subscription.stripe.account_completed
                    ? 'Being verified by Stripe'
                    : 'Not set up',
              ],
              ['Email', user.email],
            ]}
          />
          <ul className="-mt-3">
            {links.map(({ to, label, about }) => (
              <li key={to} className="border-b border-line">
                <PlaceLink to={to} className="group flex min-h-14 items-center justify-between gap-4 py-2 -outline-offset-2">
                  <span>
                    <span className="block font-strong group-hover:text-primary">{label}</span>
                    <span className="block text-12 text-muted">{about}</span>
                  </span>
                  <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
                </PlaceLink>
              </li>
            ))}
          </ul>
        </section>
        <LoadCalculator />
      </div>
    </Page>
  )
}
