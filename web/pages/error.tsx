import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { messageOf } from '#web/api/api-error.ts'
import { Heading } from '#web/page/page.tsx'
import { Button } from '#web/ui/button.tsx'

/** Where the frame stands and only its page failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  'use no memo' // drawn once, and the first page carries it: what the compiler adds would be half of it
  const router = useRouter()
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <div role="alert" className="grid max-w-prose justify-items-start gap-4 py-8 md:py-16">
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
  'use no memo'
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid min-h-dvh max-w-prose content-start px-4 pt-16 md:px-8">
      <FailedPage {...props} />
    </main>
  )
}
