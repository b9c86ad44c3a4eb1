import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Compass, TriangleAlert } from 'lucide-react'
import { messageOf } from '#web/api-error.ts'
import { PlaceLink } from '#web/place-link.tsx'
import { MainLayout } from '#web/shell/main-layout.tsx'
import { Heading } from '#web/shell/page.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'

const look = 'grid max-w-prose justify-items-start gap-4 py-8 md:py-16'

export function NotFoundPage() {
  return (
    <MainLayout>
      <div className={look}>
        <Compass className="size-10 text-copper" strokeWidth={1.5} aria-hidden="true" />
        <Heading>There is no such page</Heading>
        <p className="text-16 text-muted">The address may be mistyped, or what was here has gone.</p>
        <PlaceLink to="dashboard" className={buttonLook()}>
          To the dashboard
        </PlaceLink>
      </div>
    </MainLayout>
  )
}

/** Where the frame stands and only its page failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <div role="alert" className={look}>
      <TriangleAlert className="size-10 text-danger" strokeWidth={1.5} aria-hidden="true" />
      <Heading>This page did not load</Heading>
      <p className="text-16 text-muted">{messageOf(error)}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={retry}>Try again</Button>
        <Button kind="plain" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </div>
  )
}

/** Stands alone: what failed may be the frame itself. */
export function ErrorPage(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid min-h-dvh max-w-prose content-start px-4 pt-16 md:px-8">
      <FailedPage {...props} />
    </main>
  )
}
