import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FilterBar } from '#web/features/listings/filter-bar.tsx'
import { readFilter, writeFilter, type Filter } from '#web/features/listings/filter.ts'
import { ListingList } from '#web/features/listings/listing-list.tsx'
import { LiveState } from '#web/live-state.tsx'
import { Heading } from '#web/shell/page.tsx'
import { useIsWide } from '#web/use-is-wide.ts'

/** The list, and on a wide screen the open listing beside it; on a phone the listing alone. */
export default function ListingsPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const isWide = useIsWide()
  if (!id) return <List />
  if (!isWide) return <Outlet />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_30rem] items-start gap-8">
      <List isBeside />
      <div className="sticky top-0 -my-8 max-h-dvh overflow-y-auto border-l border-line py-8 pl-8">
        <Outlet />
      </div>
    </div>
  )
}

function List({ isBeside = false }: { isBeside?: boolean }) {
  const navigate = useNavigate()
  const filter = readFilter(useSearch({ strict: false }))
  const onFilter = (next: Filter) => void navigate({ to: '.', search: writeFilter(next), replace: true, resetScroll: false })
  return (
    <div className="grid content-start gap-6">
      {isBeside ? <p className="tabular text-28 font-strong">Listings</p> : <Heading>Listings</Heading>}
      <FilterBar filter={filter} onFilter={onFilter} />
      {!isBeside && <LiveState />}
      <div className="@container">
        <ListingList filter={filter} onFilter={onFilter} />
      </div>
    </div>
  )
}
