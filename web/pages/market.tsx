import { Store } from 'lucide-react'
import { PlaceLink } from '#web/place-link.tsx'
import { useConfig } from '#web/config.ts'
import { tierNames } from '#web/features/account/tier-names.ts'
import { TierTable } from '#web/features/account/tier-table.tsx'
import { formatPence } from '#web/money.ts'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MarketPage() {
  const user = useUser()
  return user?.permissions.market_view_enquiry.enabled ? <Enquiries /> : <WhatTheMarketIs />
}

function Enquiries() {
  return (
    <Page title="Market" lead="Enquiries from tradespeople who have metal to sell.">
      <EmptyState
        icon={Store}
        title="No enquiries yet"
        action={
          <PlaceLink to="account-material-preferences" className={buttonLook('plain')}>
            Your materials
          </PlaceLink>
        }
      >
        <p>
          When an electrician, a plumber or a builder near you has something to sell, it stands here, and you can grab the deal in a chat.
        </p>
      </EmptyState>
    </Page>
  )
}

/** RULES §1: a useful page for those without the permission, never an error. */
function WhatTheMarketIs() {
  const tier = useUser()?.subscription.tier
  const price = useConfig()?.subscription_price.value
  return (
    <Page title="Market" lead="Where tradespeople say what they have, and merchants come to them.">
      <Callout title={tier ? `Your tier is ${tierNames[tier]}` : undefined}>
        <p>
          Viewing enquiries belongs to Basic and Full. {price === undefined ? 'Full' : `Full costs ${formatPence(price)} a month and`} lets
          you bid, answer enquiries and be told of new ones.
        </p>
      </Callout>
      <ol className="grid gap-x-8 border-t border-line md:grid-cols-3">
        {[
          ['A tradesperson asks', 'Cable from a rewire, a tank from a boiler job, lead from a roof: what it is, how much and where.'],
          ['Merchants nearby are told', 'Those who said that they buy this material get a notification.'],
          ['One grabs the deal', 'Price and collection are agreed in a chat.'],
        ].map(([title, text]) => (
          <li key={title} className="py-4">
            <h2 className="text-16">{title}</h2>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <section className="grid gap-3">
        <h2 className="text-20">What each tier may do</h2>
        <TierTable mine={tier} />
      </section>
      <PlaceLink to="account-subscriptions" className={buttonLook('primary', 'justify-self-start')}>
        How to upgrade
      </PlaceLink>
    </Page>
  )
}
