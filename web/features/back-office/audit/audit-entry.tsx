import { ChevronRight, Eye, PencilLine } from 'lucide-react'
import type { AuditItem } from '#contract/admin/audit.ts'
import { formatClock, formatShortDay } from '#domain/format-time.ts'
import { Facts } from '#web/ui/facts.tsx'

export function AuditEntry({ entry }: { entry: AuditItem }) {
  const { at, actor, kind, act, subject, reason, details, hash } = entry
  const moment = new Date(at)
  const Icon = kind === 'act' ? PencilLine : Eye
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-3 lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)]">
      <p className="tabular text-muted">
        <time dateTime={at}>
          {formatShortDay(moment)} {formatClock(moment)}
        </time>
      </p>
      <div className="grid content-start gap-1">
        <p className="flex items-start gap-2 text-16 font-strong">
          <Icon className={`mt-1 size-4 shrink-0 ${kind === 'act' ? 'text-copper' : 'text-muted'}`} aria-hidden="true" />
          <span className="sr-only">{kind === 'act' ? 'Act: ' : 'Look: '}</span>
          <span className="wrap-anywhere">{act}</span>
        </p>
        {reason && <p className="wrap-anywhere">{reason}</p>}
      </div>
      <div className="grid content-start gap-1 text-muted">
        <p className="wrap-anywhere">
          by {actor.name} ({actor.role})
        </p>
        {subject && <p className="wrap-anywhere">about {subject.email ?? subject.id}</p>}
      </div>
      <details className="group lg:col-span-2 lg:col-start-2">
        <summary className="-mb-2 flex min-h-11 w-max cursor-pointer items-center gap-1 text-muted hover:text-ink">
          <ChevronRight className="size-4 group-open:rotate-90" aria-hidden="true" />
          Details
        </summary>
        <Facts
          rows={[...Object.entries(details).map(([name, value]) => [name, inWords(value)] as const), ['Entry', entry.id], ['Hash', hash]]}
        />
      </details>
    </li>
  )
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
