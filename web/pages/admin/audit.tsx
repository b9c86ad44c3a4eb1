import { useNavigate, useSearch } from '@tanstack/react-router'
import { places } from '#contract/values/places.ts'
import { AuditFilters } from '#web/features/back-office/audit/audit-filters.tsx'
import { AuditLog } from '#web/features/back-office/audit/audit-log.tsx'
import type { AuditSearch } from '#web/features/back-office/audit/queries.ts'
import { Page } from '#web/page/page.tsx'

const names = ['who', 'about', 'what', 'kind', 'from', 'to'] as const

/** The filters stand in the address, so that a search can be kept and sent to somebody. */
export function AuditPage() {
  const given = useSearch({ strict: false }) as AuditSearch
  const search: AuditSearch = Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))
  const navigate = useNavigate()
  const show = (next: AuditSearch) => void navigate({ to: places['admin-audit'].path, search: next, resetScroll: false })
  return (
    <Page title="Audit log" lead="Every act of the back office and every look at somebody’s data. Nobody can change or remove an entry.">
      <AuditFilters key={JSON.stringify(search)} search={search} onSearch={show} />
      <AuditLog search={search} />
    </Page>
  )
}
