import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { AuditFilter } from '#contract/admin/audit.ts'
import { fromLondonMinute } from '#domain/london-clock.ts'
import { call } from '#web/api/api.ts'

/** The filters as the address and the form hold them: text, and days such as 2026-11-15. */
export type AuditSearch = Partial<Record<'who' | 'about' | 'what' | 'kind' | 'from' | 'to', string>>

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['admin-audit', search],
    queryFn: ({ signal, pageParam }) =>
      call('GET /api/v1/admin/audit', { query: { ...filterOf(search), ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The same entries as a file. */
export const auditCsvPath = (search: AuditSearch): string => {
  const query = new URLSearchParams(Object.entries(filterOf(search))).toString()
  return `/api/v1/admin/audit.csv${query && `?${query}`}`
}

/** Days are London's; the last one counts whole. */
function filterOf({ who, about, what, kind, from, to }: AuditSearch): AuditFilter {
  const first = from && startOf(from)
  const end = to && startOf(dayAfter(to))
  return {
    ...(who && { 'filter[who]': who }),
    ...(about && { 'filter[about]': about }),
    ...(what && { 'filter[what]': what }),
    ...((kind === 'act' || kind === 'look') && { 'filter[kind]': kind }),
    ...(first && { 'filter[from]': first }),
    ...(end && { 'filter[to]': end }),
  }
}

function startOf(day: string): string | undefined {
  const at = fromLondonMinute(`${day}T00:00`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

function dayAfter(day: string): string {
  const at = new Date(`${day}T00:00Z`)
  if (Number.isNaN(at.getTime())) return day
  at.setUTCDate(at.getUTCDate() + 1)
  return at.toISOString().slice(0, 'yyyy-mm-dd'.length)
}
