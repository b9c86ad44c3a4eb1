import { TriangleAlert } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

/** A part of a page that did not load, while the rest of it did. */
export function FailedPart({
  of: { error, isFetching, refetch },
}: {
  of: { error: Error | null; isFetching: boolean; refetch: () => unknown }
}) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="flex flex-1 basis-56 items-start gap-3">
        <TriangleAlert className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} aria-hidden="true" />
        {error?.message}
      </p>
      <Button kind="plain" onClick={() => void refetch()} isLoading={isFetching}>
        Try again
      </Button>
    </div>
  )
}
