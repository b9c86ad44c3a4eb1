import { PlaceLink } from '#web/navigation/place-link.tsx'
import { bottomLinks, Waiting } from '#web/shell/links.tsx'

export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {bottomLinks.map(({ to, label, icon: Icon }) => (
        <PlaceLink
          key={to}
          to={to}
          className="relative grid h-15 content-center justify-items-center gap-1 text-12 text-muted -outline-offset-2 aria-[current=page]:font-strong aria-[current=page]:text-primary"
        >
          <Icon className="size-6" strokeWidth={1.75} aria-hidden="true" />
          {label}
          <Waiting at={to} />
        </PlaceLink>
      ))}
    </nav>
  )
}
