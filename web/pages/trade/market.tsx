import { Store } from 'lucide-react'
import { formatPence } from '#domain/format.ts'
import { useConfig } from '#web/api/config.ts'
import { useUser } from '#web/api/session.ts'
import { tierNames, TierTable } from '#web/features/subscription/tier-table.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Page } from '#web/page/page.tsx'
import { Columns } from '#web/page/sections.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { NumberedSteps } from '#web/ui/numbered-steps.tsx'

export default function MarketPage() {
  const user = useUser()
  return user?.permissions.market_view_enquiry.enabled ? <Enquiries /> : <WhatTheMarketIs />
}

function Enquiries() {
  const user = useUser()
  const { market_send_message_to_enquiry: message, market_get_notifications: told } = user?.permissions ?? {}
  return (
    <Page title="Market" lead="Enquiries from tradespeople who have metal to sell.">
      <Columns
        aside={
          <Facts
            title="Your market"
            rows={[
              ['Your tier', user && tierNames[user.subscription.tier]],
              ['Message about an enquiry', message?.enabled ? 'Yes' : 'Only with Full'],
              ['Told of new enquiries', told?.enabled ? 'Yes' : 'Only with Full'],
            ]}
          />
        }
      >
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
      </Columns>
    </Page>
  )
}

const steps = [
  {
    title: 'A tradesperson asks',
    text: 'Cable from a rewire, a tank from a boiler job, lead from a roof: what it is, how much and where.',
  },
  { title: 'Merchants nearby are told', text: 'Those who said that they buy this material get a notification.' },
  { title: 'One grabs the deal', text: 'Price and collection are agreed in a chat.' },
] as const

/** RULES §1: a useful page for those without the permission, never an error. */
function WhatTheMarketIs() {
  const tier = useUser()?.subscription.tier
  const price = useConfig()?.subscription_price.value
  return (
    <Page title="Market" lead="Where tradespeople say what they have, and merchants come to them.">
      <Callout title={tier ? `Your tier is ${tierNames[tier]}` : undefined}>
        <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-3">
          <p className="max-w-prose">
            Viewing enquiries belongs to Basic and Full. {price === undefined ? 'Full' : `Full costs ${formatPence(price)} a month and`}{' '}
            lets you bid, answer enquiries and be told of new ones.
          </p>
          <PlaceLink to="account-subscriptions" className={buttonLook()}>
            How to upgrade
          </PlaceLink>
        </div>
      </Callout>
      <div className="grid gap-x-16 gap-y-10 pt-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,36rem)]">
        <section aria-labelledby="how" className="grid content-start gap-3">
          <h2 id="how" className="text-20">
            How it works
          </h2>
          <NumberedSteps steps={steps} />
        </section>
        <section aria-labelledby="tiers" className="grid content-start gap-3">
          <h2 id="tiers" className="text-20">
            What each tier may do
          </h2>
          <TierTable mine={tier} />
        </section>
      </div>
    </Page>
  )
}
