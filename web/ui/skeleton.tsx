/** Holds the place of what is loading, at its size. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <div className={`animate-pulse rounded-base bg-line/70 ${className}`} aria-hidden="true" />
}

export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: fields }, (_, row) => (
        <div key={row} className="grid gap-2">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-11 w-full" />
        </div>
      ))}
    </div>
  )
}
