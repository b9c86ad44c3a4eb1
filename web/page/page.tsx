import { useEffect, useRef, type ReactNode } from 'react'

/** The one h1 of a page. It takes the focus on arrival, also when it is drawn later than the page and `main` has the focus meanwhile. */
export function Heading({ children, className = 'text-28 md:text-40' }: { children: ReactNode; className?: string }) {
  const element = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.id === 'main') element.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={element} tabIndex={-1} className={`tabular ${className}`}>
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
