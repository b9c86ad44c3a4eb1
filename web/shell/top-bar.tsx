import { Suspense } from 'react'
import { useUserIfKnown } from '#web/api/session.ts'
import { useNextPage } from '#web/navigation/next-page.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Logo } from '#web/shell/logo.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const MemberBar = lazyPart(() => import('#web/shell/member-bar.tsx'))

export function TopBar({ isBesideRail = false }: { isBesideRail?: boolean }) {
  const user = useUserIfKnown()
  const next = useNextPage()
  return (
    <header className="border-b border-line bg-surface">
      <div className={`flex h-16 items-center gap-3 px-4 md:px-8 ${isBesideRail ? 'measure' : ''}`}>
        <Logo isBesideRail={isBesideRail} />
        <div className="ml-auto flex items-center gap-2">
          {user ? (
            <Suspense>
              <MemberBar user={user} isBesideRail={isBesideRail} />
            </Suspense>
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
