import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { List as ListIcon, Map as MapIcon } from 'lucide-react'
import { Suspense } from 'react'
import { useUser } from '#web/api/session.ts'
import { SearchTools } from '#web/features/saved-searches/search-tools.tsx'
import { FilterBar, SortBy } from '#web/features/search/filter-bar.tsx'
import { filterOf, nameOf, readFilter, searchOf, writeFilter, type Filter } from '#web/features/search/filter.ts'
import { ListingList } from '#web/features/search/listing-list.tsx'
import { LiveState } from '#web/live/live-state.tsx'
import { Heading } from '#web/page/page.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'

const ListingMap = lazyPart(() => import('#web/features/search/listing-map.tsx'))

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
  const user = useUser()
  const navigate = useNavigate()
  const address: Record<string, string | undefined> = useSearch({ strict: false })
  const filter = readFilter(address)
  const isWide = useIsWide()
  const isMap = address['view'] === 'map'

  const go = (next: Filter, asMap: boolean) =>
    void navigate({ to: '.', search: { ...writeFilter(next), ...(asMap && { view: 'map' }) }, replace: true, resetScroll: false })
  const onFilter = (next: Filter) => go(next, isMap)
  const Other = isMap ? ListIcon : MapIcon

  return (
    <div className="grid content-start gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {isBeside ? <p className="tabular text-28 font-strong">Listings</p> : <Heading>Listings</Heading>}
        <div className="-mx-4 flex flex-wrap items-center">
          {isWide && !isMap && <SortBy filter={filter} onFilter={onFilter} className="mr-2 grid-cols-[auto_11rem] items-center" />}
          {user && <SearchTools filter={searchOf(filter)} suggestedName={nameOf(filter)} onUse={(saved) => onFilter(filterOf(saved))} />}
          <Button kind="quiet" onClick={() => go(filter, !isMap)}>
            <Other className="size-4" aria-hidden="true" />
            {isMap ? 'List' : 'Map'}
          </Button>
        </div>
      </div>
      <FilterBar filter={filter} onFilter={onFilter} />
      {!isBeside && <LiveState />}
      {isMap ? (
        <Suspense fallback={<Skeleton className="h-[min(70dvh,44rem)] w-full" />}>
          <ListingMap filter={filter} onFilter={onFilter} />
        </Suspense>
      ) : (
        <div className="@container">
          <ListingList filter={filter} onFilter={onFilter} />
        </div>
      )}
    </div>
  )
}
