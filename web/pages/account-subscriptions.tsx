import { useConfig } from '#web/config.ts'
import { tierNames } from '#web/features/account/tier-names.ts'
import { TierTable } from '#web/features/account/tier-table.tsx'
import { formatPence } from '#web/money.ts'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'
import { Facts } from '#web/ui/facts.tsx'

const figure = (pence: number) => <span className="tabular text-20">{formatPence(pence)}</span>

export default function SubscriptionsPage() {
  const tier = useUser()?.subscription.tier
  const config = useConfig()
  return (
    <Page title="Subscription" lead="Changing your plan, your card and your invoices will be here; subscribing opens soon.">
      <Facts
        rows={[
          ['Your tier', tier && tierNames[tier]],
          ['Full, a month', config && figure(config.subscription_price.value)],
          ['Basic and Seller, a month', figure(0)],
        ]}
      />
      <TierTable mine={tier} />
    </Page>
  )
}
