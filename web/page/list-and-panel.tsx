import { Outlet, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Heading } from '#web/page/page.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

type Props = { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode }

/** A list, and on a wide screen what was opened from it beside it; on a phone that alone. */
export function ListAndPanel({ title, lead, action, children }: Props) {
  const { id } = useParams({ strict: false }) as { id?: string }
  const isWide = useIsWide()
  if (id && !isWide) return <Outlet />
  const list = (
    <div className="grid min-w-0 content-start gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid gap-2">
          {id ? <p className="tabular text-28 font-strong">{title}</p> : <Heading>{title}</Heading>}
          {lead && !id && <p className="max-w-prose text-16 text-muted">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  )
  if (!id) return list
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_30rem] items-start gap-8">
      {list}
      <div className="sticky top-0 -my-8 max-h-dvh overflow-y-auto border-l border-line py-8 pl-8">
        <Outlet />
      </div>
    </div>
  )
}
