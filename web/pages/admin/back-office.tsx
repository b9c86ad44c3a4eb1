import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type FunctionComponent } from 'react'
import { placeOf, type Place } from '#contract/values/places.ts'
import { useUser } from '#web/api/session.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { AuditPage } from '#web/pages/admin/audit.tsx'
import { DeskPage } from '#web/pages/admin/desk.tsx'
import { DocumentPage } from '#web/pages/admin/document.tsx'
import { DocumentsPage } from '#web/pages/admin/documents.tsx'
import { NoSuchPage } from '#web/pages/not-found.tsx'

const pages: Partial<Record<Place, { title: string; page: FunctionComponent; isInNavigation: boolean }>> = {
  admin: { title: 'Desk', page: DeskPage, isInNavigation: true },
  'admin-documents': { title: 'Documents', page: DocumentsPage, isInNavigation: true },
  'admin-document': { title: 'Document', page: DocumentPage, isInNavigation: false },
  'admin-audit': { title: 'Audit log', page: AuditPage, isInNavigation: true },
}
const links = Object.entries(pages).filter(([, { isInNavigation }]) => isInNavigation)

/** The pages of those who run the marketplace. For every other member there is no such page. */
export default function BackOffice() {
  const role = useUser()?.role
  // the page's own address: that of the next page is known before it is drawn
  const place = useMatch({ strict: false, select: ({ pathname }) => placeOf(pathname) })
  const open = role && place ? pages[place] : undefined
  const title = open ? `${open.title} · Back office` : 'Page not found'
  const router = useRouter()
  useEffect(() => {
    const tell = () => void (document.title = `${title} · Yardbid`)
    tell()
    // the router names the section after each navigation, and the page after that
    return router.subscribe('onRendered', tell)
  }, [router, title])
  if (!open) return <NoSuchPage />
  const Page = open.page
  return (
    <div className="grid gap-6 xl:grid-cols-[12rem_minmax(0,1fr)] xl:gap-12">
      <Navigation />
      <div className="min-w-0">
        <Page />
      </div>
    </div>
  )
}

function Navigation() {
  const nav = useRef<HTMLElement>(null)
  // on a phone the row of pages is wider than the screen
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  return (
    <nav
      ref={nav}
      aria-label="Back office"
      className="-mx-4 -mt-6 flex gap-1 overflow-x-auto border-b border-line px-4 md:-mx-8 md:-mt-8 md:px-8 xl:sticky xl:top-8 xl:mx-0 xl:mt-0 xl:grid xl:content-start xl:gap-0 xl:self-start xl:border-0 xl:px-0"
    >
      {links.map(([to, { title }]) => (
        <PlaceLink
          key={to}
          to={to as Place}
          isExact={to === 'admin'}
          className="flex min-h-11 items-center border-b-2 border-transparent px-2 whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-copper aria-[current=page]:font-strong aria-[current=page]:text-ink xl:border-b-0 xl:border-l-2 xl:border-line xl:px-4"
        >
          {title}
        </PlaceLink>
      ))}
    </nav>
  )
}
