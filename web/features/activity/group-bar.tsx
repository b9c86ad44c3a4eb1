import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { places } from '#contract/values/places.ts'
import type { Side } from '#web/features/activity/queries.ts'

type Props = { side: Side; groups: Record<string, string>; current: string | undefined; counts: Record<string, number> | undefined }

/** The groups with their counts, as links: which one is open stands in the address. A row that scrolls sideways on a phone, to that one. */
export function GroupBar({ side, groups, current, counts }: Props) {
  const total = counts && Object.entries(counts).reduce((sum, [group, count]) => (group === 'waiting' ? sum : sum + count), 0)
  return (
    <nav aria-label="Groups" className="-mx-4 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] md:mx-0 md:px-0">
      <ul className="flex gap-1">
        <Tab side={side} group={undefined} label="All" isCurrent={current === undefined} count={total} />
        {Object.entries(groups).map(([group, label]) => (
          <Tab key={group} side={side} group={group} label={label} isCurrent={current === group} count={counts?.[group]} />
        ))}
      </ul>
    </nav>
  )
}

/** To the middle of its row, as far as that scrolls. */
function bringIntoView(tab: Element, row: Element): void {
  row.scrollLeft += middleOf(tab) - middleOf(row)
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}

type TabProps = { side: Side; group: string | undefined; label: string; isCurrent: boolean; count: number | undefined }

function Tab({ side, group, label, isCurrent, count }: TabProps) {
  const isUrgent = group === 'waiting' && count
  const isCounted = count !== undefined
  const tab = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const row = tab.current?.closest('nav')
    // the counts make the tabs wider: not before they have come
    if (isCurrent && isCounted && tab.current && row) bringIntoView(tab.current, row)
  }, [isCurrent, isCounted])
  return (
    <li ref={tab} className="shrink-0">
      <Link
        to={places[side].path}
        search={group ? { group } : {}}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={isCurrent ? 'page' : undefined}
        resetScroll={false}
        className="relative flex min-h-11 items-center gap-2 px-3 whitespace-nowrap text-muted -outline-offset-2 [li:first-child>&]:pl-0 after:absolute after:inset-x-3 [li:first-child>&]:after:left-0 after:bottom-0 after:h-0.5 hover:text-ink aria-[current=page]:font-strong aria-[current=page]:text-ink aria-[current=page]:after:bg-copper"
      >
        {label}
        <span
          className={`tabular min-w-6 rounded-full px-2 text-center text-14 ${isUrgent ? 'bg-warning-soft font-strong text-warning' : 'bg-sunken text-muted'}`}
        >
          {count ?? '–'}
        </span>
      </Link>
    </li>
  )
}
