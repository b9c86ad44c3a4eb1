import { MessagesSquare } from 'lucide-react'
import { useUserIfKnown } from '#web/api/session.ts'
import { useNextPage } from '#web/navigation/next-page.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Waiting } from '#web/shell/links.tsx'
import { LogOutButton } from '#web/shell/log-out-button.tsx'
import { Logo } from '#web/shell/logo.tsx'
import { buttonLook } from '#web/ui/button.tsx'

export function TopBar({ isBesideRail = false }: { isBesideRail?: boolean }) {
  const user = useUserIfKnown()
  const next = useNextPage()
  const hasAccount = user && !user.is_using_temporary_password && !user.deletion
  return (
    <header className="border-b border-line bg-surface">
      <div className={`flex h-16 items-center gap-3 px-4 md:px-8 ${isBesideRail ? 'measure' : ''}`}>
        <Logo isBesideRail={isBesideRail} />
        <div className="ml-auto flex items-center gap-2">
          {user ? (
            <>
              {/* the rail has its own link to them, a thumb reaches only five */}
              {hasAccount && user.onboarded && (
                <PlaceLink to="messages" aria-label="Messages" className={buttonLook('quiet', 'relative w-11 px-0! md:hidden')}>
                  <MessagesSquare className="size-5" strokeWidth={1.75} aria-hidden="true" />
                  <Waiting at="messages" />
                </PlaceLink>
              )}
              <p className="mr-2 text-right leading-tight max-md:hidden">
                <span className="block font-strong">{user.company_name}</span>
                <span className="block text-12 text-muted">
                  {user.first_name} {user.surname}
                </span>
              </p>
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
          ) : user === undefined ? null : (
            <>
              <PlaceLink to="login" search={next} className={buttonLook('quiet')}>
                Log in
              </PlaceLink>
              <PlaceLink to="register" search={next} className={buttonLook('plain')}>
                Sign up
              </PlaceLink>
            </>
          )}
        </div>
      </div>
    </header>
  )
}
