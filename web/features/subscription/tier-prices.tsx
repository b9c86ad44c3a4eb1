import type { ReactNode } from 'react'
import { formatPence } from '#domain/format.ts'
import { useConfig } from '#web/api/config.ts'

/** What each tier costs and what it is for, in the colours of the steel plate. */
export function TierPrices() {
  const config = useConfig()
  const isTrialOffered = config?.trial_available_until != null && config.trial_available_until > config.server_time
  return (
    <dl className="border-b border-steel-line">
      <TierPrice
        name="Full"
        price={config ? formatPence(config.subscription_price.value) : '–'}
        per="a month"
        about="Bid, chat and take tradesperson deals."
      >
        {/* holds its line until the configuration is here */}
        {(!config || isTrialOffered) && (
          <dd className="col-span-2 min-h-5 text-on-steel-copper">{config && `${config.trial_months} months free to start with.`}</dd>
        )}
      </TierPrice>
      <TierPrice name="Basic" price="Free" about="For merchants: sell, and view enquiries." />
      <TierPrice name="Seller" price="Free" about="For trades: sell what the job leaves over." />
    </dl>
  )
}

type Props = { name: string; price: string; per?: string; about: string; children?: ReactNode }

function TierPrice({ name, price, per, about, children }: Props) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 border-t border-steel-line py-3">
      <dt className="text-16 font-strong">{name}</dt>
      <dd className={`tabular ${per ? 'text-28' : 'text-20'}`}>
        {price}
        {per && <span className="ml-2 font-sans text-14 font-normal text-on-steel-muted">{per}</span>}
      </dd>
      <dd className="col-span-2 text-on-steel-muted">{about}</dd>
      {children}
    </div>
  )
}
