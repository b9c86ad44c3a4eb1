import { useConfig } from '#web/config.ts'
import { tierNames } from '#web/features/account/tier-names.ts'
import { TierTable } from '#web/features/account/tier-table.tsx'
import { formatPence } from '#web/money.ts'
import { useUser } from '#web/session.ts'
import { Page, Section } from '#web/shell/page.tsx'
import { Facts } from '#web/ui/facts.tsx'

export default function SubscriptionsPage() {
  const tier = useUser()?.subscription.tier
  const price = useConfig()?.subscription_price.value
  return (
    <Page title="Subscription">
      <Section title="Your tier" about="Subscribing, your card and your invoices open here soon.">
        <Facts
          rows={[
            ['Your tier', tier && tierNames[tier]],
            ['Full', price !== undefined && aMonth(formatPence(price))],
            ['Basic and Seller', 'Free'],
          ]}
        />
      </Section>
      <Section title="What each tier may do" about="Only Full bids. All three list and sell.">
        <TierTable mine={tier} />
      </Section>
    </Page>
  )
}

const aMonth = (figure: string) => (
  <>
    <span className="tabular text-20">{figure}</span> a month
  </>
)
