import { MapPinOff } from 'lucide-react'
import { ApiError } from '#web/api/api-error.ts'
import { emptyFilter, type Filter } from '#web/features/search/filter.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export const isUnknownPlace = (error: unknown): boolean => error instanceof ApiError && 'filter[post_code]' in error.errors

/** There is such a shape of post code, and no such district: trying again would not help. */
export function UnknownPlace({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const sort = filter.sort === 'nearest' ? emptyFilter.sort : filter.sort
  return (
    <div role="alert">
      <EmptyState
        icon={MapPinOff}
        title={`${filter.near} is not a post code that we know`}
        action={
          <Button kind="plain" onClick={() => onFilter({ ...filter, near: '', sort })}>
            Search everywhere
          </Button>
        }
      >
        <p>Check it under Near. A whole post code such as M1 4BT will do, and so will its first half, M1.</p>
      </EmptyState>
    </div>
  )
}
