import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { UserLite } from '#contract/account.ts'
import { businessActivities } from '#contract/values/business.ts'
import type { Place } from '#contract/values/places.ts'
import { cardGrid, ListingCard } from '#web/cards/listing-card.tsx'
import { FiguresOfMonth } from '#web/features/activity/figures-of-month.tsx'
import { RowsSkeleton } from '#web/features/activity/listing-pages.tsx'
import { FEW, fewQuery } from '#web/features/activity/queries.ts'
import { ShortList } from '#web/features/activity/short-list.tsx'
import { Sparkline } from '#web/features/bids/price-chart.tsx'
import { ForYou } from '#web/features/preferences/for-you.tsx'
import { tierNames } from '#web/features/subscription/tier-table.tsx'
import { MemberPrompts } from '#web/page/member-prompts.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { LoadCalculator } from '#web/pages/dashboard/load-calculator.tsx'
import { Waiting } from '#web/pages/dashboard/waiting.tsx'
import { Facts } from '#web/ui/facts.tsx'

const links: readonly { to: Place; label: string; about: string }[] = [
  { to: 'account-view-edit', label: 'Your details', about: 'Name, company, VAT number, email and address' },
  { to: 'account-change-password', label: 'Change password', about: 'Logs you out on every other device' },
  { to: 'account-subscriptions', label: 'Subscription', about: 'What your tier lets you do' },
  { to: 'download', label: 'Get the app', about: 'Put Yardbid on your phone’s home screen' },
]

const toDoSelling = fewQuery('my-listings', 'waiting')
const toDoBuying = fewQuery('activity', 'waiting')
const running = fewQuery('my-listings', 'running')
const bidding = fewQuery('activity', 'bidding')
const watching = fewQuery('activity', 'watching')

/** Under the heading that pages/dashboard.tsx draws; visitors never load it. */
export default function MemberDashboard({ user }: { user: UserLite }) {
  const { data: ownRunning, isError: isRunningUnknown } = useQuery(running)
  // asked for at once and shown at once: a list that comes later would push away what somebody reads
  const lists = [useQuery(toDoSelling), useQuery(toDoBuying), useQuery(bidding), useQuery(watching), useQuery(running)]
  const [isShown, setIsShown] = useState(false)
  // for good: a list that failed asks again when it is drawn, and must not take the others away meanwhile
  if (!isShown && lists.every(({ isPending }) => !isPending)) setIsShown(true)
  return (
    <>
      <MemberPrompts />
      <div className="grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_24rem]">
        {isShown ? <Lists user={user} /> : <ListsSkeleton />}
        <div className="grid min-w-0 gap-10">
          <FiguresOfMonth running={isRunningUnknown ? '–' : ownRunning?.meta.counts['running']?.toString()} />
          <LoadCalculator />
          <Account user={user} />
        </div>
      </div>
    </>
  )
}

const ListsSkeleton = () => (
  <div className="min-h-dvh min-w-0">
    <RowsSkeleton rows={FEW} />
  </div>
)

function Lists({ user }: { user: UserLite }) {
  return (
    <div className="grid min-w-0 gap-10">
      <Waiting user={user} />
      <ShortList title="Bidding" side="activity" group="bidding" query={bidding} nothing={<>You are not bidding on anything. {browse}</>} />
      <ShortList title="Watching" side="activity" group="watching" query={watching} />
      <ShortList
        title="Your listings, running"
        side="my-listings"
        group="running"
        query={running}
        Beside={Sparkline}
        nothing={<>Nothing of yours is running. {listGoods}</>}
      />
      <ForYou Card={ListingCard} grid={cardGrid} />
    </div>
  )
}

const browse = (
  <PlaceLink to="listings" className="link">
    Browse listings
  </PlaceLink>
)
const listGoods = (
  <PlaceLink to="sell" className="link">
    List goods
  </PlaceLink>
)

function Account({ user }: { user: UserLite }) {
  const activity = user.business_activity && businessActivities[user.business_activity].label
  return (
    <div className="grid gap-4">
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
  )
}

/** How far the account at the payment provider is, in words. */
function paymentAccountOf({ subscription: { stripe } }: UserLite): ReactNode {
  if (stripe.account_needs_more)
    return (
      <PlaceLink to="account-view-edit" hash="payment-account" className="link text-warning">
        Stripe needs something more
      </PlaceLink>
    )
  if (stripe.account_verified) return 'Verified by Stripe'
  return stripe.account_completed ? 'Being verified by Stripe' : 'Not set up'
}
