import { formatPence } from '#domain/format.ts'
import { useConfig } from '#web/api/config.ts'
import { useUser } from '#web/api/session.ts'
import { tierNames, TierTable } from '#web/features/subscription/tier-table.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { NumberedSteps } from '#web/ui/numbered-steps.tsx'

const steps = [
  {
    title: 'A tradesperson asks',
    text: 'Cable from a rewire, a tank from a boiler job, lead from a roof: what it is, how much and where.',
  },
  { title: 'Merchants nearby are told', text: 'Members with Full who said that they buy this material get a notification.' },
  { title: 'One grabs the deal', text: 'Offers come in a conversation. The tradesperson accepts one, and it is closed for the others.' },
] as const

/** RULES §1: a useful page for those without the permission, never an error. */
export function WhatTheMarketIs() {
  const tier = useUser()?.subscription.tier
  const price = useConfig()?.subscription_price.value
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-16 text-muted">
        Where tradespeople say what they have, and merchants come to them. You can post enquiries with any plan.
      </p>
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
    </div>
  )
}
