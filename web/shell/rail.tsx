import { PlaceLink } from '#web/navigation/place-link.tsx'
import { railLinks, Waiting } from '#web/shell/links.tsx'
import { Mark } from '#web/shell/logo.tsx'

export function Rail() {
  return (
    <div className="sticky top-0 flex h-dvh w-22 flex-col border-r border-line bg-surface max-md:hidden">
      <div className="grid h-16 shrink-0 place-items-center">
        <Mark className="size-9" />
      </div>
      <nav aria-label="Main" className="grid gap-1 overflow-y-auto px-1 py-2">
        {railLinks.map(({ to, label, icon: Icon }) => (
          <PlaceLink
            key={to}
            to={to}
            isExact={to === 'dashboard'}
            className="relative grid min-h-14 content-center justify-items-center gap-1 rounded-base text-12 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-primary-soft aria-[current=page]:font-strong aria-[current=page]:text-primary"
          >
            <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
            {label}
            <Waiting at={to} />
          </PlaceLink>
        ))}
      </nav>
    </div>
  )
}
