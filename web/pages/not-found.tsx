import { Compass } from 'lucide-react'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { MainLayout } from '#web/shell/main-layout.tsx'
import { buttonLook } from '#web/ui/button.tsx'

export default function NotFoundPage() {
  return (
    <MainLayout>
      <NoSuchPage />
    </MainLayout>
  )
}

/** Also inside a frame, for somebody to whom its pages are not open. */
export function NoSuchPage() {
  return (
    <div className="grid max-w-prose justify-items-start gap-4 py-8 md:py-16">
      <Compass className="size-10 text-copper" strokeWidth={1.5} aria-hidden="true" />
      <Heading>There is no such page</Heading>
      <p className="text-16 text-muted">The address may be mistyped, or what was here has gone.</p>
      <PlaceLink to="dashboard" className={buttonLook()}>
        To the dashboard
      </PlaceLink>
    </div>
  )
}
