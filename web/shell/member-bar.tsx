import { MessagesSquare, ShieldCheck } from 'lucide-react'
import type { UserLite } from '#contract/account.ts'
import Bell from '#web/features/notifications/bell.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Waiting } from '#web/shell/links.tsx'
import { LogOutButton } from '#web/shell/log-out-button.tsx'
import { buttonLook } from '#web/ui/button.tsx'

/** The top bar's end for whoever is logged in. Visitors never load it. */
export default function MemberBar({ user, isBesideRail }: { user: UserLite; isBesideRail: boolean }) {
  const hasAccount = !user.is_using_temporary_password && !user.deletion
  return (
    <>
      <p className="mr-2 text-right leading-tight max-md:hidden">
        <span className="block font-strong">{user.company_name}</span>
        <span className="block text-12 text-muted">
          {user.first_name} {user.surname}
        </span>
      </p>
      {/* the rail has its own link to them, and a thumb reaches only five */}
      {hasAccount && user.onboarded && (
        <PlaceLink to="messages" className={buttonLook('quiet', 'relative w-11 px-0! md:hidden')}>
          <MessagesSquare className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">Messages</span>
          <Waiting at="messages" />
        </PlaceLink>
      )}
      {hasAccount && user.role && (
        <PlaceLink to="admin" className={buttonLook('quiet', 'max-md:w-11 max-md:px-0! aria-[current=page]:text-primary')}>
          <ShieldCheck className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span className="max-md:sr-only">Back office</span>
        </PlaceLink>
      )}
      {hasAccount && <Bell />}
      {/* beside the rail, and on a phone above the bottom bar, the account has its own link */}
      {!isBesideRail && hasAccount && (
        <PlaceLink to="account" className={buttonLook('quiet')}>
          Your account
        </PlaceLink>
      )}
      {/* a phone's is at the foot of the account's pages */}
      <span className={isBesideRail || hasAccount ? 'max-md:hidden' : ''}>
        <LogOutButton />
      </span>
    </>
  )
}
