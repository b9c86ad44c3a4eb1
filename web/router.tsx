import { createRootRoute, createRoute, createRouter, lazyRouteComponent, useLocation, type AnyRoute } from '@tanstack/react-router'
import { PROGRESS_BAR_DELAY_MS } from '#contract/values/limits.ts'
import { placeOf, places, type Place } from '#contract/values/places.ts'
import { whenUnauthorised } from '#web/api/api.ts'
import { endSession, hearOtherTabs, refreshUser, tellOtherTabs } from '#web/api/session.ts'
import { guard } from '#web/navigation/guard.ts'
import { routePath } from '#web/navigation/place-link.tsx'
import { parseSearch, stringifySearch } from '#web/navigation/search-text.ts'
import { pageTable, type Layout, type PageFile } from '#web/page-table.ts'
import { ErrorPage, FailedPage } from '#web/pages/error.tsx'
import { LoadingFrame } from '#web/shell/loading-frame.tsx'
import { MainLayout } from '#web/shell/main-layout.tsx'
import { PlainLayout } from '#web/shell/plain-layout.tsx'
import { RootFrame } from '#web/shell/root-frame.tsx'

function Loading() {
  const place = placeOf(useLocation({ select: ({ pathname }) => pathname }))
  return <LoadingFrame isPlain={place !== undefined && pageTable[place].layout === 'plain'} />
}

const root = createRootRoute({
  component: RootFrame,
  beforeLoad: guard,
  pendingComponent: Loading,
  pendingMs: PROGRESS_BAR_DELAY_MS,
  pendingMinMs: 0,
  errorComponent: ErrorPage,
  notFoundComponent: lazyRouteComponent(() => import('#web/pages/not-found.tsx')),
})
const main = createRoute({ getParentRoute: () => root, id: 'main', component: MainLayout })
const plain = createRoute({ getParentRoute: () => root, id: 'plain', component: PlainLayout })

/** Parts of the app whose pages share a frame of their own inside the main one. */
const areas = Object.entries({
  account: () => import('#web/pages/account/account-layout.tsx'),
  listings: () => import('#web/pages/listings/listings.tsx'),
  own: () => import('#web/pages/trade/my-listings.tsx'),
  activity: () => import('#web/pages/trade/activity.tsx'),
  market: () => import('#web/pages/market/market.tsx'),
  messages: () => import('#web/pages/messages/messages.tsx'),
} satisfies Partial<Record<Layout, () => Promise<PageFile>>>)

const componentOf = (place: Place) => {
  const row = pageTable[place]
  return 'load' in row ? lazyRouteComponent(row.load) : row.component
}

const pagesIn = (layout: Layout, parent: AnyRoute) =>
  (Object.keys(places) as Place[])
    .filter((place) => pageTable[place].layout === layout)
    .map((place) => createRoute({ getParentRoute: () => parent, path: routePath(places[place].path), component: componentOf(place) }))

const areaRoutes = areas.map(([layout, load]) => {
  const area = createRoute({ getParentRoute: () => main, id: layout, component: lazyRouteComponent(load) })
  return area.addChildren(pagesIn(layout as Layout, area))
})

export const router = createRouter({
  routeTree: root.addChildren([main.addChildren([...pagesIn('main', main), ...areaRoutes]), plain.addChildren(pagesIn('plain', plain))]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
})

// after every navigation: the title names the page, and the focus stands at its heading
router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
  const place = placeOf(toLocation.pathname)
  document.title = `${place ? pageTable[place].title : 'Page not found'} · Yardbid`
  if (fromLocation && pathChanged)
    (document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true })
})

// SPEC §2: a 401 on any call clears the user and goes to login
whenUnauthorised(() => {
  endSession()
  tellOtherTabs('logged_out')
  if (placeOf(router.state.location.pathname) !== 'login')
    void router.navigate({ to: places.login.path, search: { next: router.state.location.href } })
})

// what one tab does to the session, the others follow
hearOtherTabs(async (news) => {
  if (news === 'logged_in') {
    await refreshUser().catch(() => null)
    return router.invalidate()
  }
  endSession()
  const place = placeOf(router.state.location.pathname)
  return place && places[place].auth ? router.navigate({ to: places.dashboard.path }) : router.invalidate()
})
