import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { places, type Place } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { LogOutButton } from '#web/shell/log-out-button.tsx'
import { Callout } from '#web/ui/callout.tsx'

const pages: readonly { to: Place; label: string }[] = [
  { to: 'account-view-edit', label: 'Your details' },
  { to: 'account-change-password', label: 'Change password' },
  { to: 'account-merchant-documents', label: 'Merchant documents' },
  { to: 'account-subscriptions', label: 'Subscription' },
  { to: 'account-notification-preferences', label: 'Notifications' },
  { to: 'account-material-preferences', label: 'Materials' },
]

export default function AccountLayout() {
  const nav = useRef<HTMLElement>(null)
  const user = useUser()
  const isUnfinished = user?.onboarded === false && !user.is_using_temporary_password
  const pathname = useLocation({ select: (location) => location.pathname })
  // on a phone the row of pages is wider than the screen
  useEffect(() => {
    nav.current?.querySelector(`a[href="${pathname}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <div className="grid gap-6 xl:grid-cols-[12rem_minmax(0,1fr)] xl:gap-12">
      <nav
        ref={nav}
        aria-label="Account"
        className="-mx-4 -mt-6 flex gap-1 overflow-x-auto border-b border-line px-4 md:-mx-8 md:-mt-8 md:px-8 xl:sticky xl:top-8 xl:mx-0 xl:mt-0 xl:grid xl:content-start xl:gap-0 xl:self-start xl:border-0 xl:px-0"
      >
        {pages
          .filter(({ to }) => !isUnfinished || places[to].auth !== 'onboarded')
          .map(({ to, label }) => (
            <PlaceLink
              key={to}
              to={to}
              className="flex min-h-11 items-center border-b-2 border-transparent px-2 whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-copper aria-[current=page]:font-strong aria-[current=page]:text-ink xl:border-b-0 xl:border-l-2 xl:border-line xl:px-4"
            >
              {label}
            </PlaceLink>
          ))}
      </nav>
      <div className="min-w-0">
        {isUnfinished && <Unfinished isPaymentMissing={!user.subscription.stripe.account_completed} />}
        <Outlet />
        {/* a wide screen has it in the top bar */}
        <div className="mt-8 border-t border-line pt-6 md:hidden">
          <LogOutButton kind="plain" />
        </div>
      </div>
    </div>
  )
}

/** What is missing, on the pages that open without it. */
function Unfinished({ isPaymentMissing }: { isPaymentMissing: boolean }) {
  return (
    <div className="pb-6">
      <Callout look="warning" title="Your account is not set up yet">
        <p>
          {isPaymentMissing
            ? 'Your payment account at Stripe is not complete: until it is, you can neither sell nor bid. '
            : 'You can neither sell nor bid until the last stages are done or skipped. '}
          <PlaceLink to="onboarding" className="link">
            Finish setting up
          </PlaceLink>
        </p>
      </Callout>
    </div>
  )
}
