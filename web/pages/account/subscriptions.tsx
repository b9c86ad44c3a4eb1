import { useQuery } from '@tanstack/react-query'
import { useUser } from '#web/api/session.ts'
import { HoldingFeeCard } from '#web/features/payments/holding-fee-card.tsx'
import { Invoices } from '#web/features/subscription/invoices.tsx'
import { subscriptionQuery, useTierOf } from '#web/features/subscription/queries.ts'
import { SubscriptionCard } from '#web/features/subscription/subscription-card.tsx'
import { TierTable } from '#web/features/subscription/tier-table.tsx'
import { RenewalBanner, YourPlan } from '#web/features/subscription/your-plan.tsx'
import { Page } from '#web/page/page.tsx'
import { Section, useArrivalAt } from '#web/page/sections.tsx'

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
          <YourPlan tier={tier} />
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
