import type { ReactNode } from 'react'

/** The one h1 of a page; it takes the focus when the page is reached. */
export function Heading({ children, className = 'text-28 md:text-40' }: { children: ReactNode; className?: string }) {
  return (
    <h1 tabIndex={-1} className={`tabular ${className}`}>
      {children}
    </h1>
  )
}

export function Page({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid content-start gap-6">
      <div className="grid gap-2">
        <Heading>{title}</Heading>
        {lead && <p className="max-w-prose text-16 text-muted">{lead}</p>}
      </div>
      {children}
    </div>
  )
}

/** What it is at the left, its fields at the right; on a phone one under the other. */
export function Section({ id, title, about, children }: { id?: string; title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section
      id={id}
      className="grid scroll-mt-20 gap-x-10 gap-y-4 border-t border-line py-6 lg:py-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,36rem)]"
    >
      <div className="grid content-start gap-1">
        <h2 className="text-16">{title}</h2>
        {about && <div className="text-muted lg:max-w-xs">{about}</div>}
      </div>
      <div>{children}</div>
    </section>
  )
}

/** What the page is about, and beside it what helps with it; on a phone one under the other. */
export function Columns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-x-16 gap-y-8 border-t border-line pt-8 lg:grid-cols-[minmax(0,1fr)_28rem]">
      {children}
      {aside}
    </div>
  )
}
