import { Outlet, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { List as ListIcon, Map as MapIcon, PackagePlus, Plus } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { placeOf, places, type Place } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { ConversationList } from '#web/features/market/deal/conversation-list.tsx'
import { EnquiryList, EnquiryPages } from '#web/features/market/find/enquiry-list.tsx'
import { FilterBar } from '#web/features/market/find/filter-bar.tsx'
import { readFilter, writeFilter, type MarketFilter } from '#web/features/market/data/filter.ts'
import { useOwnEnquiries, useUnread } from '#web/features/market/data/queries.ts'
import { LiveState } from '#web/live/live-state.tsx'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { MemberPrompts } from '#web/page/member-prompts.tsx'
import { Heading } from '#web/page/page.tsx'
import { WhatTheMarketIs } from '#web/pages/market/what-the-market-is.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'

const EnquiryMap = lazyPart(() => import('#web/features/market/find/enquiry-map.tsx'))

type Tab = 'enquiries' | 'conversations' | 'mine'

const tabOf = (place: Place | undefined, canView: boolean): Tab => {
  if (place === 'market-conversations' || place === 'market-conversation') return 'conversations'
  return place === 'market-mine' || (place === 'market-listing' && !canView) ? 'mine' : 'enquiries'
}

/** The market's lists, and on a wide screen what was opened from them beside; on a phone that alone. */
export default function MarketPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const canView = useUser()?.permissions.market_view_enquiry.enabled === true
  const tab = tabOf(useLocation({ select: ({ pathname }) => placeOf(pathname) }), canView)
  const isWide = useIsWide()
  if (id && !isWide) return <Outlet />
  const list = (
    <div className="grid min-w-0 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        {id ? <p className="tabular text-28 font-strong">Market</p> : <Heading>Market</Heading>}
        <PlaceLink to="market-new" className={buttonLook('primary')}>
          <Plus className="size-4" aria-hidden="true" />
          Post an enquiry
        </PlaceLink>
      </div>
      <Tabs tab={tab} />
      {tab === 'enquiries' && !id && <MemberPrompts />}
      {tab === 'enquiries' && (canView ? <Enquiries /> : <WhatTheMarketIs />)}
      {tab === 'conversations' && <ConversationList />}
      {tab === 'mine' && <Mine />}
    </div>
  )
  if (!id) return list
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_32rem] items-start gap-8">
      {list}
      <div className="sticky top-0 -my-8 max-h-dvh overflow-y-auto border-l border-line py-8 pl-8">
        <Outlet />
      </div>
    </div>
  )
}

function Tabs({ tab }: { tab: Tab }) {
  const unread = useUnread()
  return (
    <nav aria-label="Market" className="-mb-1 flex gap-1 overflow-x-auto border-b border-line">
      <TabLink to="market" isCurrent={tab === 'enquiries'}>
        Enquiries
      </TabLink>
      <TabLink to="market-conversations" isCurrent={tab === 'conversations'}>
        Conversations
        {unread > 0 && <span className="tabular ml-2 rounded-full bg-primary-fill px-2 text-12 text-on-primary">{unread} new</span>}
      </TabLink>
      <TabLink to="market-mine" isCurrent={tab === 'mine'}>
        Yours
      </TabLink>
    </nav>
  )
}

function TabLink({ to, isCurrent, children }: { to: Place; isCurrent: boolean; children: ReactNode }) {
  return (
    <PlaceLink
      to={to}
      isExact
      aria-current={isCurrent ? 'page' : undefined}
      className={`inline-flex min-h-11 items-center border-b-2 px-3 whitespace-nowrap -outline-offset-2 ${isCurrent ? 'border-copper font-strong text-ink' : 'border-transparent text-muted hover:text-ink'}`}
    >
      {children}
    </PlaceLink>
  )
}

function Enquiries() {
  const navigate = useNavigate()
  const user = useUser()
  const { searchTerm } = useParams({ strict: false }) as { searchTerm?: string }
  const address: Record<string, string | undefined> = useSearch({ strict: false })
  const filter = readFilter(address, searchTerm)
  const isMap = address['view'] === 'map'

  /** The words are part of the path, the rest follows it (SPEC §2). */
  const go = (next: MarketFilter, asMap: boolean) => {
    const words = next.search.trim()
    const search = { ...writeFilter(next), ...(asMap && { view: 'map' }) }
    void navigate({
      ...(words ? { to: routePath(places['market-search'].path), params: { searchTerm: words } } : { to: places.market.path }),
      search,
      replace: true,
      resetScroll: false,
    } as never)
  }
  const onFilter = (next: MarketFilter) => go(next, isMap)
  const Other = isMap ? ListIcon : MapIcon
  const kept = { ...writeFilter(filter), ...(filter.search && { search: filter.search }) }
  return (
    <>
      <FilterBar
        filter={filter}
        onFilter={onFilter}
        beside={
          <Button kind="plain" className="mt-7 max-md:w-11 max-md:px-0 md:order-last" onClick={() => go(filter, !isMap)}>
            <Other className="size-4" aria-hidden="true" />
            <span className="max-md:sr-only">{isMap ? 'List' : 'Map'}</span>
          </Button>
        }
      />
      <LiveState />
      {isMap ? (
        <Suspense fallback={<Skeleton className="h-[min(70dvh,44rem)] w-full" />}>
          <EnquiryMap filter={filter} search={kept} showsTrades={user?.permissions.tradesperson_visible_on_map.enabled === true} />
        </Suspense>
      ) : (
        <EnquiryList
          filter={filter}
          onFilter={onFilter}
          search={kept}
          emptyAction={
            <PlaceLink to="account-material-preferences" className={buttonLook('plain')}>
              Say what you buy
            </PlaceLink>
          }
        />
      )}
    </>
  )
}

function Mine() {
  const pages = useOwnEnquiries()
  return (
    <EnquiryPages
      pages={pages}
      search={{}}
      empty={
        <EmptyState
          icon={PackagePlus}
          title="You have posted nothing yet"
          action={
            <PlaceLink to="market-new" className={buttonLook('plain')}>
              Post an enquiry
            </PlaceLink>
          }
        >
          <p>A photo, the material, a rough weight and where it is: it takes less than a minute. Merchants nearby make you offers.</p>
        </EmptyState>
      }
    />
  )
}
