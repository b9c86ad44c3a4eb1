import { ChevronRight } from 'lucide-react'
import type { UserLite } from '#contract/account.ts'
import { businessActivities } from '#contract/business.ts'
import type { Place } from '#contract/places.ts'
import { paymentAccountOf } from '#web/features/account/payment-account.ts'
import { tierNames } from '#web/features/account/tier-names.ts'
import { VerifyEmailPrompt } from '#web/features/account/verify-email-prompt.tsx'
import { LoadCalculator } from '#web/features/load/load-calculator.tsx'
import { PlaceLink } from '#web/place-link.tsx'
import { Facts } from '#web/ui/facts.tsx'

const links: readonly { to: Place; label: string; about: string }[] = [
  { to: 'account-view-edit', label: 'Your details', about: 'Name, company, VAT number, email and address' },
  { to: 'account-change-password', label: 'Change password', about: 'Logs you out on every other device' },
  { to: 'account-subscriptions', label: 'Subscription', about: 'What your tier lets you do' },
  { to: 'download', label: 'Get the app', about: 'Put Yardbid on your phone’s home screen' },
]

/** Under the heading that pages/dashboard.tsx draws; visitors never load it. */
export default function MemberDashboard({ user }: { user: UserLite }) {
  const activity = user.business_activity && businessActivities[user.business_activity].label
  return (
    <div className="grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="grid gap-10">
        <section aria-labelledby="waiting" className="grid gap-3">
          <h2 id="waiting" className="text-16">
            Waiting for you
          </h2>
          {user.email_verified ? (
            <p className="border-y border-line py-3 text-muted">
              Your account needs nothing. How your bids and sales stand is shown on each listing.
            </p>
          ) : (
            <VerifyEmailPrompt email={user.email} />
          )}
        </section>
        <Facts
          title="Your account"
          rows={[
            ['Tier', tierNames[user.subscription.tier]],
            ['Business activity', activity],
            ['Payment account', paymentAccountOf(user)],
            ['Email', user.email],
          ]}
        />
        <ul className="border-t border-line">
          {links.map(({ to, label, about }) => (
            <li key={to} className="border-b border-line">
              <PlaceLink to={to} className="group flex min-h-16 items-center justify-between gap-4 py-2 -outline-offset-2">
                <span>
                  <span className="block font-strong group-hover:text-primary">{label}</span>
                  <span className="block text-muted">{about}</span>
                </span>
                <ChevronRight className="size-4 shrink-0 text-muted group-hover:text-primary" aria-hidden="true" />
              </PlaceLink>
            </li>
          ))}
        </ul>
      </div>
      <LoadCalculator />
    </div>
  )
}
