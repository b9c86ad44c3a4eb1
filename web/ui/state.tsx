import { TriangleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

type Props = { icon: LucideIcon; title: string; children: ReactNode; action?: ReactNode }

/** Says what would be here, and offers the next step. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="grid content-start justify-items-start gap-3">
      <Icon className="size-8 text-copper" strokeWidth={1.5} aria-hidden="true" />
      <h2 className="text-20">{title}</h2>
      <div className="grid max-w-prose gap-3 text-16 text-muted">{children}</div>
      {action && <div className="mt-2 flex flex-wrap gap-3">{action}</div>}
    </div>
  )
}

export function FailedState({ message, onRetry, isRetrying = false }: { message: string; onRetry: () => void; isRetrying?: boolean }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 border-t border-line pt-8">
      <TriangleAlert className="size-8 text-danger" strokeWidth={1.5} aria-hidden="true" />
      <p className="max-w-prose text-16">{message}</p>
      <Button kind="plain" onClick={onRetry} isLoading={isRetrying}>
        Try again
      </Button>
    </div>
  )
}

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
