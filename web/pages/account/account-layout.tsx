import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Place } from '#contract/values/places.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'

const pages: readonly { to: Place; label: string }[] = [
  { to: 'account-view-edit', label: 'Your details' },
  { to: 'account-change-password', label: 'Change password' },
  { to: 'account-merchant-documents', label: 'Merchant documents' },
  { to: 'account-subscriptions', label: 'Subscription' },
  { to: 'account-notification-preferences', label: 'Notifications' },
  { to: 'account-material-preferences', label: 'Materials' },
]

export function AccountLayout() {
  const nav = useRef<HTMLElement>(null)
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
        {pages.map(({ to, label }) => (
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
        <Outlet />
      </div>
    </div>
  )
}
