import { useQuery } from '@tanstack/react-query'
import { tierNames } from '#web/features/account/tier-names.ts'
import { TierTable } from '#web/features/account/tier-table.tsx'
import { HoldingFeeCard } from '#web/features/payments/holding-fee-card.tsx'
import { Invoices } from '#web/features/payments/invoices.tsx'
import { subscriptionQuery } from '#web/features/payments/queries.ts'
import { RenewalBanner } from '#web/features/payments/renewal-banner.tsx'
import { SubscriptionCard } from '#web/features/payments/subscription-card.tsx'
import { useTierOf } from '#web/features/payments/use-tier-of.ts'
import { YourPlan } from '#web/features/payments/your-plan.tsx'
import { useUser } from '#web/session.ts'
import { useArrivalAt } from '#web/shell/arrival-at.ts'
import { Page } from '#web/shell/page.tsx'
import { Section } from '#web/shell/sections.tsx'

export default function SubscriptionsPage() {
  const user = useUser()
  const { data: subscription, isPending } = useQuery(subscriptionQuery)
  useArrivalAt(!isPending)
  useTierOf(subscription)
  if (!user) return null
  const { tier } = user.subscription
  const isRunning = subscription && subscription.status !== 'incomplete'
  return (
    <Page title="Subscription">
      <RenewalBanner subscription={subscription} />
      <div>
        <Section id="plan" title="Your plan" about="Full bids, chats and takes tradesperson deals. Selling is free.">
          <YourPlan tier={tier} tierNames={tierNames} />
        </Section>
        {isRunning && (
          <Section id="card" title="Card" about="Your subscription is paid with it. Stripe keeps it; we see its last four digits.">
            <SubscriptionCard subscription={subscription} />
          </Section>
        )}
        <Section
          id="holding-fee"
          title="Card for the holding fee"
          about="Every bidder keeps one. A fee is taken from it only if you win and do not pay."
        >
          <HoldingFeeCard />
        </Section>
        <Section id="invoices" title="Invoices" about="Of your subscription, as PDF.">
          <Invoices />
        </Section>
        <Section id="tiers" title="What each tier may do" about="Only Full bids. All three list and sell.">
          <TierTable mine={tier} />
        </Section>
      </div>
    </Page>
  )
}
